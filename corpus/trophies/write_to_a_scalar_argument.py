# Dynamo: a write in place to an argument that is a float64 scalar tensor is lost where nothing uses what the call returns.
# link: unreported
# signature: bd8385ba415c8430 v7 value aot_eager
# pattern: kind=state_after; backend=aot_eager
# pattern: kind=value; backend=aot_eager
# pattern: kind=gradient; backend=aot_eager
# avoid: import torch._dynamo.output_graph as _graph; _graph.OutputGraph.remove_tensorify_specialized_graphargs = (lambda remove: lambda self: (lambda kept: (remove(self), [node.meta.__setitem__("example_value", value) for node, value in kept])[0])([(node, node.meta.pop("example_value")) for node in list(self.graph.nodes) if node.op != "placeholder" and not node.users and "example_value" in node.meta]))(_graph.OutputGraph.remove_tensorify_specialized_graphargs)
# here: 2.13.0
# gone: 2.15.0
# state: open
# Dynamo takes a float64 scalar for a number that may be specialized, and traces again when it has to be. Then it removes
# nodes that have the argument as their value and no users but item(): a write in place has no users at all. Lost as well
# where the argument is returned. The avoid line keeps nodes without users. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones((), dtype=torch.float64),)


def program(x):
    x.add_(1)
    return x * 1


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
