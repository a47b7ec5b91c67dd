# Inductor: vectorised expm1 of a small number is 0.
# link: https://github.com/pytorch/pytorch/pull/190533
# signature: fc808b2912aa2bb6 v7 value inductor
# pattern: kind=value; backend=inductor; call=expm1
# pattern: kind=value; backend=inductor; call=expm1_
# pattern: kind=value; backend=inductor; call=elu
# pattern: kind=value; backend=inductor; call=celu
# pattern: kind=value; backend=inductor; call=selu
# avoid: import torch._inductor.codegen.cpp as _cpp; _cpp.CppVecOverrides.expm1 = staticmethod(lambda x: f"{x}.expm1()")
# here: 2.13.0
# gone: 2.15.0
# state: open
# It is computed as exp(x) - 1. The pull request, closed, computes it as the avoid line does.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.full((16,), 1e-10),)


def program(x):
    return torch.expm1(x) / x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
