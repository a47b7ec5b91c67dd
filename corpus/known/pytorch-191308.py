# Inductor: a batched product of integer matrices with one row or one column is int64 on the CPU, where eager keeps the type.
# link: https://github.com/pytorch/pytorch/issues/191308
# signature: 4b6b5f969e2d37f6 v7 dtype inductor
# pattern: kind=dtype; backend=inductor; call=bmm
# pattern: kind=dtype; backend=inductor; call=matmul
# pattern: kind=dtype; backend=inductor; call=einsum
# pattern: kind=value; backend=inductor; call=bmm
# pattern: kind=value; backend=inductor; call=matmul
# pattern: kind=value; backend=inductor; call=einsum
# pattern: kind=raises; backend=inductor; frame=must have the same dtype, but got Long
# avoid: import torch._inductor.kernel.bmm; import torch._inductor.lowering as _lowering; _lowering.lowerings[torch.ops.aten.bmm.default] = (lambda lower: lambda one, other, *args, **more: _lowering.to_dtype(lower(one, other, *args, **more), one.get_dtype()))(_lowering.lowerings[torch.ops.aten.bmm.default])
# here: 2.13.0
# gone: 2.15.0
# state: open
# The product becomes a sum, and sums of integers are int64. The avoid line casts it back.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([[[100, 100]]], dtype=torch.int8), torch.tensor([[[1, 1], [1, 2]]], dtype=torch.int8))


def program(x, y):
    return torch.bmm(x, y)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected} ({expected.dtype}), compiled {shown} ({shown.dtype})")
    sys.exit(0 if expected.dtype == shown.dtype and torch.equal(expected, shown) else 1)
