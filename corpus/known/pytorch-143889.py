# Dynamo: an argument whose rank changes in place, other than by a method called on its own name, breaks its guards.
# link: https://github.com/pytorch/pytorch/issues/143889
# signature: 8d99797d383dc18f v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=list index out of range; call=unsqueeze_
# pattern: kind=compiler_error; backend=eager; frame=list index out of range; call=squeeze_
# here: 2.13.0, 2.15.0
# state: open
# The guards on shapes are written for the new rank: IndexError. So for torch.Tensor.unsqueeze_(x, 0), and for the result of
# an operator with out=x.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(()), torch.ones(()))


def program(x, y):
    torch.special.modified_bessel_k1(x, out=y).unsqueeze_(0)


def two_calls(function):
    function(*make_inputs())


if __name__ == "__main__":
    try:
        two_calls(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        two_calls(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "list index out of range" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
