# Functionalization: a write through an expand view is added to the base as a difference: inf gives nan.
# link: https://github.com/pytorch/pytorch/issues/197448
# signature: 60f8908b7adc8a9e v7 value aot_eager
# pattern: kind=compiler_error; frame=with two bool tensors
# pattern: kind=raises; frame=with two bool tensors
# pattern: kind=value; backend=aot_eager; call=expand_as
# pattern: kind=value; backend=aot_eager; call=expand
# pattern: kind=value; backend=aot_eager; call=broadcast_to
# pattern: kind=state_after; backend=aot_eager; call=expand_as
# pattern: kind=state_after; backend=aot_eager; call=expand
# pattern: kind=state_after; backend=aot_eager; call=broadcast_to
# pattern: kind=value; backend=aot_eager; call=meshgrid
# pattern: kind=state_after; backend=aot_eager; call=meshgrid
# pattern: kind=value; backend=aot_eager; call=broadcast_tensors
# pattern: kind=state_after; backend=aot_eager; call=broadcast_tensors
# around: torch.Tensor.expand = (lambda f: lambda x, *size, **named: (lambda v: x.as_strided(v.shape, v.stride()))(f(x, *size, **named)))(torch.Tensor.expand); torch.Tensor.expand_as = lambda x, y: x.expand(y.shape); torch.Tensor.broadcast_to = torch.broadcast_to = lambda x, size: x.expand(size); torch.meshgrid = (lambda f: lambda *given, **named: (lambda views, tensors: type(views)(x.as_strided(v.shape, v.stride()) for x, v in zip(tensors, views)))(f(*given, **named), given[0] if isinstance(given[0], (list, tuple)) else given))(torch.meshgrid); torch.broadcast_tensors = (lambda f: lambda *given: (lambda views: type(views)(x.as_strided(v.shape, v.stride()) for x, v in zip(given, views)))(f(*given)))(torch.broadcast_tensors)
# here: 2.13.0, 2.15.0
# state: open
# No element is written twice here. In the issue one is, and is wrong by the number of times. A bool tensor can't be
# compiled
# ("Subtraction, the `-` operator, with two bool tensors is not supported"), as pytorch 93386 reports.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([float("inf"), 1e8]),)


def program(x):
    x.expand_as(x).fill_(1.0)
    return x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
