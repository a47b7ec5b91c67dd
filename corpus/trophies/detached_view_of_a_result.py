# Decompositions: a detached view of a result that requires a gradient requires one too, and backward fails.
# link: unreported
# signature: f306be2b6fcb101b v7 raises aot_eager_decomp_partition
# pattern: kind=raises; backend=aot_eager_decomp_partition; frame=does not require grad; call=detach
# pattern: kind=requires_grad; backend=aot_eager_decomp_partition; call=detach
# avoid: import torch._inductor.decomposition as _decomposition; _decomposition.decompositions.pop(torch.ops.aten.detach.default, None)
# here: 2.13.0, 2.15.0
# state: open
# detach is decomposed into alias, of which autograd makes a view; it says that it requires a gradient once its base does, and has no
# grad_fn. So for the result itself after double() and other casts: the primitive cast gives a tensor that requires one. The avoid
# line keeps detach.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, 1, requires_grad=True),)


def program(x):
    y = x * 2
    return y, y.detach().view(-1)


if __name__ == "__main__":
    expected = program(*make_inputs())[1].requires_grad
    try:
        shown = torch.compile(program, backend="aot_eager_decomp_partition")(*make_inputs())[1].requires_grad
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: requires a gradient: in eager {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
