# AOTAutograd: dropout with p=1 draws random numbers, of which eager draws none, so that all later ones differ.
# link: unreported
# signature: 6a35987c87d3c383 v7 mode aot_eager
# pattern: kind=mode; backend=aot_eager; call=dropout
# around: torch.ops.aten.dropout.default.py_kernels.clear()
# here: 2.13.0, 2.15.0
# state: open
# Found by running every sample of torch's operator database.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(6.0),)


def program(x):
    return torch.nn.functional.dropout(x, p=1.0)


def drawn_next(function):
    torch.manual_seed(0)
    function(*make_inputs())
    return torch.rand(3)


if __name__ == "__main__":
    try:
        expected = drawn_next(program)
        shown = drawn_next(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: behind eager {expected.tolist()} is drawn, behind the compiled call {shown.tolist()}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
