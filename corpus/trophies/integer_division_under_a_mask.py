# Inductor: an integer division in a masked region, such as under pad, raises ZeroDivisionError, though nothing is zero.
# link: unreported
# signature: cd0bfc2a3e1b1720 v7 raises inductor
# pattern: backend=inductor; frame=ZeroDivisionError
# avoid: import torch._inductor.codegen.cpp as c; [setattr(c.CppVecOverrides, k, staticmethod((lambda f, v, ops: lambda a, b: f(a, (lambda x: getattr(x, "value", x))(ops.where(v.kernel._load_mask, b, ops.constant(1, b.dtype)))) if v.kernel._load_mask is not None and not b.dtype.is_floating_point else f(a, b))(getattr(c.CppVecOverrides, k), c.V, c.ops))) for k in ("floordiv", "remainder")]
# here: 2.13.0, 2.15.0
# state: open
# Division and remainder, wherever a vectorized load is masked: the masked-out lanes of the divisor are 0. Pull request
# 192025
# mends the last, partly filled vector of a remainder, not this. Two elements show it with AVX2, seven with AVX-512 too.
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(7, dtype=torch.int64),)


def program(y):
    return torch.nn.functional.pad(4 // y, (0, 1))


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "ZeroDivisionError" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
