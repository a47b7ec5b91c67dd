# Inductor: the gradient of max along a dimension is lost beside a product and a sum of the same operands.
# link: unreported
# signature: f9358d50b9ed8907 v7 gradient inductor
# pattern: kind=gradient; backend=inductor; call=max
# around: import torch._inductor.config; torch._inductor.config.cpp.max_horizontal_fusion_size = 0
# here: 2.13.0
# gone: 2.15.0
# state: open
# The zeros, the positions and the scatter of the gradient are fused into one kernel. It depends on the sizes: with (1, 9) or (4, 17) it is right.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(4, 9, generator=generator).requires_grad_() for _ in range(2))


def gradient(function):
    x, y = make_inputs()
    product, most, total = function(x, y)
    (product.sum() + most.sum() + total.sum()).backward()
    return x.grad


def program(x, y):
    return x * y, x.max(1).values, y.sum(1)


if __name__ == "__main__":
    try:
        expected = gradient(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = gradient(torch.compile(program, backend="inductor"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
