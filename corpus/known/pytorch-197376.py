# Inductor: an in-place foreach operator on complex tensors, or on others that it has no kernel for, can't be compiled.
# link: https://github.com/pytorch/pytorch/issues/197376
# signature: bd78bfe27e516509 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=getitem> is not an OpOverload
# around: import torch._inductor.fx_passes.reinplace; torch._inductor.fx_passes.reinplace.inplaceable_foreach_ops.clear()
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
    return (torch.tensor([1 + 2j, 3 + 4j]),)


def program(x):
    torch._foreach_div_([x], 1j)


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: {type(error).__name__}: {str(error).splitlines()[0]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: it compiles")
