# Dynamo: an f-string with a format of a dynamic size or float fails while compiling.
# link: https://github.com/pytorch/pytorch/issues/197093
# signature: d512b88083b71431 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=Unknown format code
# avoid: import torch._dynamo.variables.lazy as _lazy; _lazy.LazySymNodeFormatString.__repr__ = lambda self: self.fmt_var.as_python_constant().format(self.sym_node_var.evaluate_expr())
# here: 2.13.0, 2.15.0
# state: open
# The format is given the number's text: "Unknown format code 'd' for object of type 'str'". Sizes are dynamic from the second
# call on, or at once with dynamic=True. The avoid line gives it the number.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(2),), (torch.ones(3),)]


def program(x):
    return x.sum() + len(f"{x.shape[0]:d}")


def results(function):
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Unknown format code" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 2)
