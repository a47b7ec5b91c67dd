# Inductor: a view of another dtype that is written and then indexed has no reindexer.
# link: https://github.com/pytorch/pytorch/issues/168995
# signature: 0f390caa13c2ed62 v7 compiler_error inductor
# pattern: kind=compiler_error; frame=make_reindexer NYI on DtypeView
# here: 2.13.0, 2.15.0
# state: open
# The issue has it for scaled matrix products of eight-bit floats. With a reindexer that changes nothing the result is nan here.
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
    x.view(torch.int32).neg_()
    x.index_put_((torch.tensor([0]),), x[[1]])
    return x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
