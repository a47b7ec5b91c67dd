# AOTAutograd: dropout with training=False gives a copy, where eager gives its argument: later writes in place are lost.
# link: https://github.com/pytorch/pytorch/issues/115249
# signature: affe393731ebc85c v7 value aot_eager
# pattern: kind=value; backend=aot_eager; call=dropout
# pattern: kind=state_after; backend=aot_eager; call=dropout
# around: torch.ops.aten.dropout.default.py_kernels.clear()
# here: 2.13.0
# gone: 2.15.0
# state: fixed
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
    y = torch.nn.functional.dropout(x, training=False)
    x.neg_()
    return y + 0


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected.tolist()}, compiled {shown.tolist()}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
