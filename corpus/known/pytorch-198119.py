# Inductor: the gradient of avg_pool1d, avg_pool2d and avg_pool3d with ceil_mode divides a last window that overhangs by the whole kernel.
# link: https://github.com/pytorch/pytorch/issues/198119
# signature: 7df264b02ab9e5ee v7 gradient inductor
# pattern: kind=gradient; backend=inductor; call=avg_pool1d
# pattern: kind=gradient; backend=inductor; call=avg_pool2d
# pattern: kind=gradient; backend=inductor; call=avg_pool3d
# pattern: kind=gradient; backend=inductor; call=lp_pool1d
# pattern: kind=gradient; backend=inductor; call=lp_pool2d
# pattern: kind=gradient; backend=inductor; call=lp_pool3d
# around: import torch._inductor.lowering as _lowering; (lambda pools: [(_lowering.lowerings.pop(pool, None), _lowering.make_fallback(pool)) for pool in pools])([torch.ops.aten.avg_pool2d_backward.default, torch.ops.aten.avg_pool3d_backward.default])
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
    return (torch.arange(5.0).reshape(1, 5).requires_grad_(),)


def program(x):
    return torch.nn.functional.avg_pool1d(x, 2, ceil_mode=True)


def gradient(function):
    (x,) = make_inputs()
    function(x).sum().backward()
    return x.grad


if __name__ == "__main__":
    try:
        expected = gradient(program)
        shown = gradient(torch.compile(program, backend="inductor"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected.tolist()}, compiled {shown.tolist()}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
