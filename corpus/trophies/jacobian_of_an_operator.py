# Dynamo: torch.autograd.functional.jacobian of an operator (torch.sin) fails while compiling.
# link: unreported
# signature: 3e924b0b2d2349f9 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=argument of type
# around: exec("import torch._dynamo.exc as exc, torch._dynamo.output_graph as output_graph\nplain = output_graph.OutputGraph.create_proxy\ndef create_proxy(self, *args, **named):\n    try:\n        return plain(self, *args, **named)\n    except NotImplementedError as error:\n        if \"argument of type\" not in str(error):\n            raise\n    exc.unimplemented(gb_type=\"an operator as an argument\", context=\"\", explanation=\"A graph can't hold it.\", hints=[])\noutput_graph.OutputGraph.create_proxy = create_proxy", {})
# here: 2.13.0, 2.15.0
# state: open
# So for vjp and jvp. Dynamo puts the call into the graph, which can't hold a built-in function: "argument of type:
# <class 'builtin_function_or_method'>". With a function of the program it breaks the graph, which the around line does here.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return torch.autograd.functional.jacobian(torch.sin, x)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "argument of type" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
