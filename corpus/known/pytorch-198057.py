# Inductor: a vectorised remainder of floats is wrong for a large quotient or an infinite divisor.
# link: https://github.com/pytorch/pytorch/issues/198057
# signature: 164528681a732dba v7 value inductor
# pattern: kind=value; backend=inductor
# avoid: exec("import torch._inductor.codegen.cpp as cpp\nplain, exact = cpp.CppVecOverrides.remainder, cpp.CppOverrides.remainder\ncpp.CppVecOverrides.remainder = staticmethod(lambda x, y: exact(x, y) if x.dtype.is_floating_point else plain(x, y))", {})
# here: 2.13.0, 2.15.0
# state: open
# So for %. The vectorised code computes x - x // y * y, of which nothing is left if the quotient has more digits than a float;
# the elements that are left over at the end, and fmod, are right. The avoid line computes it with fmod, too.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.full((16,), 1e20),)


def program(x):
    return torch.remainder(x, 3.0)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
