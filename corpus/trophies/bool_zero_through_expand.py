# aot_eager: zero_() through a view of a bool argument does not compile: "Subtraction, the `-` operator, with two bool
# tensors is not supported". Found by a campaign on torch 2.13.0, reduced by hand. State: unreported.
# Exit status: 1 the difference is there, 0 it is not.
import torch


def make_inputs():
    return (torch.tensor([True, False]),)


def program(x):
    y = x.expand_as(x)
    y.zero_()
    return x


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
