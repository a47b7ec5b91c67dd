# AOTAutograd: the graph of backward can't be compiled for a gradient that has the conjugate bit set.
# link: https://github.com/pytorch/pytorch/pull/197856
# signature: e19d4a6b3ddea698 v7 raises aot_eager
# pattern: kind=raises; frame=view_as_real doesn't work on unresolved conjugated tensors
# here: 2.13.0, 2.15.0
# state: open
# Backward of conj gives such a gradient; the conj is outside of the graph here, as what is returned is a view of what
# is computed.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True),)


def program(x):
    return x.to(torch.complex64).conj()


def gradient(function):
    (x,) = make_inputs()
    function(x).sum().abs().backward()
    return x.grad


if __name__ == "__main__":
    try:
        gradient(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "view_as_real" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
