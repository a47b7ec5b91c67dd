# AOTAutograd: backward computes from an argument after the function has modified it: the gradient is wrong.
# link: https://github.com/pytorch/pytorch/pull/197039
# signature: fd09ffad680a5276 v7 gradient aot_eager
# signature: 06ea01815c18a4d8 v7 raises aot_eager_decomp_partition
# pattern: kind=gradient; backend=aot_eager
# pattern: kind=gradient; backend=inductor
# pattern: kind=raises; backend=aot_eager_decomp_partition; frame=modified by an inplace operation
# pattern: kind=raises; backend=inductor; frame=modified by an inplace operation
# around: import torch._functorch.partitioners as _partitioners; _partitioners.solve_min_cut = (lambda f: lambda g, info, *more, **named: ([u.meta.__setitem__("recompute", _partitioners.CheckpointPolicy.MUST_SAVE) for n in g.find_nodes(op="placeholder") for u in n.users if info.is_required_fw(u) and isinstance(u.meta.get("val"), (torch.Tensor, tuple, list))], f(g, info, *more, **named))[1])(_partitioners.solve_min_cut)
# here: 2.13.0, 2.15.0
# state: open
# Backward computes x.sin() again, from x as it is after the call. Changed in that pull request, open.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor(1.0), torch.tensor(1.0, requires_grad=True))


def program(x, w):
    y = x.sin() * w
    x.neg_()
    return y


def gradient(function):
    x, w = make_inputs()
    function(x, w).backward()
    return w.grad


if __name__ == "__main__":
    try:
        expected = gradient(program)
        shown = gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
