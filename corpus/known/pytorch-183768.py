# Inductor: vectorised acosh of a large number is infinite.
# link: https://github.com/pytorch/pytorch/issues/183768
# signature: b2951cc183003f35 v7 value inductor
# pattern: kind=value; backend=inductor; call=acosh
# pattern: kind=value; backend=inductor; call=acosh_
# pattern: kind=value; backend=inductor; call=arccosh
# pattern: kind=value; backend=inductor; call=arccosh_
# avoid: exec("import torch._inductor.codegen.cpp as cpp\neach = cpp.CppVecOverrides._scalarize(cpp.CppOverrides.acosh)\neach.__name__ = \"acosh\"\ncpp.CppVecOverrides.acosh = staticmethod(each)", {})
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# The vectorised form squares its argument, which overflows above the root of the largest number of its dtype;
# https://github.com/pytorch/pytorch/issues/198134 has it for float64. Found with programs that were written to test the judge.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.full((16,), 3e38),)


def program(x):
    return torch.acosh(x)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
