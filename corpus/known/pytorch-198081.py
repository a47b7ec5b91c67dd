# Inductor: torch.any of a uint8 tensor returns bool, where eager returns uint8: later arithmetic gives other numbers.
# link: https://github.com/pytorch/pytorch/issues/198081
# signature: 12c563fcaaffb16b v7 dtype inductor
# pattern: kind=dtype; backend=inductor; call=any
# around: import torch._inductor.lowering; torch._inductor.lowering.lowerings.update({o: (lambda f, to: lambda x, *a, **k: to(f(x, *a, **k), torch.uint8) if x.get_dtype() == torch.uint8 else f(x, *a, **k))(torch._inductor.lowering.lowerings[o], torch._inductor.lowering.to_dtype) for o in map(torch.ops.aten.any.__getattr__, torch.ops.aten.any.overloads()) if o in torch._inductor.lowering.lowerings})
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
    return (torch.tensor([3], dtype=torch.uint8),)


def program(x):
    return torch.any(x) * 200 + 100


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected.dtype == shown.dtype and torch.equal(expected, shown) else 1)
