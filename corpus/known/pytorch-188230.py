# Inductor: torch.any of an empty tensor becomes a constant that minimum can't take: it does not compile.
# link: https://github.com/pytorch/pytorch/issues/188230
# signature: b760011a95fa67bd v7 compiler_error inductor
# pattern: backend=inductor; frame=is not comparable
# avoid: import torch._inductor.index_propagation as p, torch.utils._sympy.value_ranges as r; [(setattr(p.SymPyOps, k, staticmethod((lambda f: lambda x, y: NotImplemented if torch.promote_types(x.dtype, y.dtype) == torch.bool else f(x, y))(getattr(p.SymPyOps, k)))), setattr(r.SymPyValueRangeAnalysis, k, classmethod((lambda f, v: lambda cls, a, b: v.unknown_bool() if v.wrap(a).is_bool else f(cls, a, b))(getattr(r.SymPyValueRangeAnalysis, k).__func__, r.ValueRanges)))) for k in ("minimum", "maximum")]
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(0),)


def program(x):
    a = torch.any(x)
    return a.minimum(a)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
