# Dynamo: an in-place _foreach_lerp_ with a number as weight can't be compiled where its tensors require gradients.
# link: https://github.com/pytorch/pytorch/pull/186452
# signature: 7de804c6a41537ac v7 raises eager
# signature: 240ce1596aa62bc6 v7 compiler_error aot_eager
# pattern: kind=compiler_error; backend=aot_eager; call=_foreach_lerp_
# avoid: import torch._dynamo.polyfills as _polyfills; _polyfills.foreach_lerp_inplace = (lambda plain: lambda self, end, weight: plain(self, end, weight) if isinstance(weight, torch.Tensor) else ([one.lerp_(other, weight) for one, other in zip(self, end)], self)[1])(_polyfills.foreach_lerp_inplace)
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Dynamo writes it out with a difference that autograd keeps, and writes to what it was computed from. The pull request keeps
# the operator, to save memory. Found and reduced by a campaign.
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
    z = x + 1
    torch._foreach_lerp_([z], [y], 0.5)
    return z


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "modified by an inplace operation" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
