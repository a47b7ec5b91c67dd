# Inductor: vectorised erf and atanh of small numbers have no correct digit.
# link: https://github.com/pytorch/pytorch/issues/198183
# signature: 16d49fa49bbb2b69 v7 value inductor
# pattern: kind=value; backend=inductor; call=erf
# pattern: kind=value; backend=inductor; call=erf_
# pattern: kind=value; backend=inductor; call=atanh
# pattern: kind=value; backend=inductor; call=atanh_
# pattern: kind=value; backend=inductor; call=gelu
# pattern: kind=gradient; backend=inductor; call=gelu
# avoid: exec("import torch._inductor.codegen.cpp as cpp\nfor name in (\"erf\", \"atanh\"):\n    each = cpp.CppVecOverrides._scalarize(getattr(cpp.CppOverrides, name))\n    each.__name__ = name\n    setattr(cpp.CppVecOverrides, name, staticmethod(each))", {})
# here: 2.13.0, 2.15.0
# state: open
# The vectorised erf of float32 is an approximation whose error is small beside 1, not beside the result; atanh is computed from
# (1 + x) / (1 - x), which is 1 for a small x. The avoid line computes each element by itself.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.full((16,), 1e-7),)


def program(x):
    return torch.erf(x) / x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
