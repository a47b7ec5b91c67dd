# Inductor: the minimum or maximum of an int8 or uint8 tensor counts elements that it lacks, and its argmin is no index at all.
# link: https://github.com/pytorch/pytorch/issues/191499
# signature: 68bf67e4bd9422db v7 value inductor
# pattern: kind=value; backend=inductor; call=min
# pattern: kind=value; backend=inductor; call=max
# pattern: kind=value; backend=inductor; call=amin
# pattern: kind=value; backend=inductor; call=amax
# pattern: kind=value; backend=inductor; call=aminmax
# pattern: kind=value; backend=inductor; call=argmin
# pattern: kind=value; backend=inductor; call=argmax
# avoid: exec("import torch, torch._inductor.lowering as low\ndef wide(f):\n    def g(x, *more, **named):\n        narrow = x.get_dtype()\n        if narrow not in (torch.int8, torch.uint8):\n            return f(x, *more, **named)\n        back = lambda y: low.to_dtype(y, narrow) if y.get_dtype() == torch.float32 else y\n        made = f(low.to_dtype(x, torch.float32), *more, **named)\n        return tuple(map(back, made)) if isinstance(made, (tuple, list)) else back(made)\n    return g\nfor op in list(low.lowerings):\n    if not str(op).endswith('.other') and str(op).split('.')[:2] in [['aten', n] for n in ('min', 'max', 'amin', 'amax', 'argmin', 'argmax')]:\n        low.lowerings[op] = wide(low.lowerings[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# A vector of bytes has more lanes than the loop fills, and the others count: they hold ones where bytes were loaded, zeros
# where floats were converted, and what was computed from these. So here 1 is less than 7. The avoid line reduces such tensors
# as float32, which has all of their values.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.full((9,), 5, dtype=torch.uint8), torch.full((9,), 7, dtype=torch.uint8))


def program(x, y):
    return torch.maximum(x, y).min()


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
