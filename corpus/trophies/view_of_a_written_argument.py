# aot_eager: an argument that is a view of another, written argument can't be returned squeezed.
# link: https://github.com/pytorch/pytorch/issues/198095
# pattern: kind=raises; frame=incorrect out shape after application of ViewMeta sequence
# pattern: kind=compiler_error; frame=incorrect out shape after application of ViewMeta sequence
# versions: 2.13.0
# state: open
# "incorrect out shape after application of ViewMeta sequence". Found by a campaign, reduced by hand; the issue names it, too.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    t = torch.arange(9.0).reshape(3, 3)
    return (t, t.flatten()[:3])


def program(x, y):
    x.add_(1)
    return torch.squeeze(y)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
