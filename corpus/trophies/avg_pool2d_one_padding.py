# Inductor: the gradient of avg_pool2d doesn't compile if kernel, stride or padding is a tuple of one number.
# link: unreported
# signature: d4ce41e36fe07bac v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; call=avg_pool2d
# around: import torch._inductor.lowering as _lowering; _lowering.lowerings.pop(torch.ops.aten.avg_pool2d_backward.default, None); _lowering.make_fallback(torch.ops.aten.avg_pool2d_backward.default)
# here: 2.13.0, 2.15.0
# state: open
# The lowering of the forward operator takes such a tuple for that of two numbers; that of the backward operator asserts that
# there are two. Found by running every sample of torch's operator database.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_(),)


def program(x):
    return torch.nn.functional.avg_pool2d(x, 2, padding=(0,))


if __name__ == "__main__":
    try:
        (x,) = make_inputs()
        program(x).sum().backward()
        result = torch.compile(program, backend="inductor")(x)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        result.sum().backward()
        shown = None
    except Exception as error:
        shown = error
    print(f"torch {torch.__version__}: eager has a gradient, compiled {'too' if shown is None else type(shown).__name__}")
    sys.exit(0 if shown is None else 1)
