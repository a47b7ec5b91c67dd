# aot_eager: an argument that is written and returned gives other elements of its memory, where other arguments alias.
# link: unreported
# pattern: kind=value; backend=aot_eager; call=addbmm_; call=igammac
# pattern: kind=value; backend=aot_eager_decomp_partition; call=cross; call=copy_; call=logaddexp
# versions: 2.13.0
# state: open
# The two that alias become one, so the numbers of the arguments after them change; what is returned is then made anew
# from x with the strides and the offset of x + 1, the value that was written. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    a = torch.ones(2)
    return a, a[:], torch.tensor([0.0, 1.0, 2.0, 3.0])[2:]


def program(a, b, x):
    a.neg_()
    return b * 2, x.add_(1)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())[1]
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())[1]
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
