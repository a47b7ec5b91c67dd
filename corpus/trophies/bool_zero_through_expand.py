# aot_eager: zero_() through a view of a bool argument does not compile.
# link: unreported
# pattern: kind=compiler_error; frame=with two bool tensors
# pattern: kind=raises; frame=with two bool tensors
# versions: 2.13.0
# state: open
# "Subtraction, the `-` operator, with two bool tensors is not supported". Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([True, False]),)


def program(x):
    y = x.expand_as(x)
    y.zero_()
    return x


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
