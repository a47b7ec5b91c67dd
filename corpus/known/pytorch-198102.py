# Functionalization: a write through an unfold view with gaps zeroes the elements of its base that no window covers.
# link: https://github.com/pytorch/pytorch/issues/198102
# signature: e66e5cec5a2e829f v7 value aot_eager
# pattern: kind=state_after; backend=aot_eager; call=unfold
# pattern: kind=value; backend=aot_eager; call=unfold
# around: torch.Tensor.unfold = (lambda f: lambda x, *how, **named: (lambda v: x.as_strided(v.shape, v.stride()))(f(x, *how, **named)))(torch.Tensor.unfold)
# here: 2.13.0, 2.15.0
# state: open
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0, 4.0]),)


def program(x):
    x.unfold(0, 1, 3).mul_(2)
    return x


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = program(*make_inputs())
        compiled = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    torch.testing.assert_close(compiled, eager)
