# Dynamo: an in-place _foreach_lerp_ with a tensor as weight has no gradient, and makes all tensors require one.
# link: unreported
# signature: 402c7cdc3b3f288d v7 raises eager
# signature: b78d0d3aa3e5878e v7 compiler_error aot_eager
# pattern: kind=raises; call=_foreach_lerp_; frame=modified by an inplace operation
# pattern: kind=requires_grad; call=_foreach_lerp_
# pattern: kind=structure; call=_foreach_lerp_
# pattern: kind=compiler_error; call=_foreach_lerp_; frame=modified by an inplace operation
# avoid: import torch._dynamo.polyfills as _polyfills; _polyfills.foreach_lerp_inplace = (lambda plain: lambda self, end, weight: ([one.lerp_(other, weight.detach().to(one.dtype)) for one, other in zip(self, end)], self)[1] if isinstance(weight, torch.Tensor) else plain(self, end, weight))(_polyfills.foreach_lerp_inplace)
# here: 2.13.0, 2.15.0
# state: open
# Dynamo writes it out with a difference that autograd keeps, and writes to what it was computed from. A difference
# from _foreach_sub requires a gradient for all tensors as soon as one does. The avoid line has a lerp_ for each
# tensor, as eager does. With a number as weight it was pytorch 186452. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True), torch.full((2,), 3.0))


def program(x, y):
    z = x * 2
    torch._foreach_lerp_([z], [y], torch.tensor(0.25))
    return z


def gradient(function):
    x, y = make_inputs()
    function(x, y).sum().backward()
    return x.grad


if __name__ == "__main__":
    expected = gradient(program)
    try:
        shown = gradient(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "modified by an inplace operation" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
