# Functionalization: a tensor given as out= takes the strides of the value written to it, so that a later view fails.
# link: https://github.com/pytorch/pytorch/issues/133512
# signature: 35f50192ed388c6f v7 compiler_error aot_eager
# pattern: kind=compiler_error; backend=aot_eager; stage=aot_autograd; frame=Cannot view a tensor with shape
# pattern: kind=compiler_error; backend=aot_eager; stage=aot_autograd; frame=_pdist_forward requires contiguous input
# here: 2.13.0, 2.15.0
# state: open
# Dynamo keeps the strides of out= and lets the view pass; what changes them comes after it.
# pdist fails in the same way: it decides by the old strides that it needs no contiguous copy.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(4.0).view(2, 2).t(),)


def program(x):
    y = torch.zeros(2, 2)
    torch.add(x, x, out=y)
    return y.view(-1)


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "Cannot view a tensor" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
