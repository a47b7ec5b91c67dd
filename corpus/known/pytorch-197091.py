# Inductor: ldexp has the dtype of its first argument, or float32, where eager has that of both.
# link: https://github.com/pytorch/pytorch/issues/197091
# signature: 3fb76f35c2d3dcfc v7 dtype inductor
# pattern: kind=dtype; backend=inductor; call=ldexp
# pattern: kind=dtype; backend=inductor; call=ldexp_
# around: import torch._inductor.lowering as _lowering; _lowering.lowerings.pop(torch.ops.aten.ldexp.Tensor, None); _lowering.make_fallback(torch.ops.aten.ldexp.Tensor)
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
    return torch.ones(2, dtype=torch.int64), torch.ones(2, dtype=torch.float64)


def program(x, y):
    return x.ldexp(y)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs()).dtype
        shown = torch.compile(program, backend="inductor")(*make_inputs()).dtype
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
