# AOTAutograd: two arguments that alias can't be compiled if one is written, one is a leaf and the other is none.
# link: unreported
# signature: 554e4f1c6a6d97f0 v7 compiler_error aot_eager
# pattern: kind=compiler_error; backend=aot_eager; frame=create_synthetic_base_metadata; frame=AssertionError
# here: 2.13.0, 2.15.0
# state: open
# "any_leaf=True != all_leaf=False": a view that was taken under no_grad requires no gradient and is a leaf, while its
# base is none. Behind a graph break the program's own tensors are such arguments. Found by a mutation that writes
# through such a view after a break, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.ones(2, requires_grad=True).clone()
    with torch.no_grad():
        y = x.view(2)
    return (x, y)


def program(x, y):
    with torch.no_grad():
        y.fill_(3)
    return x * 2


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
