# aot_eager: an argument that is a view of another, written argument can't be returned squeezed: "incorrect out shape after
# application of ViewMeta sequence". Found by a campaign on torch 2.13.0, reduced by hand. State: unreported.
# Exit status: 1 the difference is there, 0 it is not.
import torch


def make_inputs():
    t = torch.arange(9.0).reshape(3, 3)
    return (t, t.flatten()[:3])


def program(x, y):
    x.add_(1)
    return torch.squeeze(y)


if __name__ == "__main__":
    import sys

    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
