# Inductor: what abs of int8 or int16 becomes in a scalar kernel is an int, which maximum and minimum don't take.
# link: unreported
# signature: bcef2540bd433b62 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; call=abs
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; call=abs_
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; call=_foreach_abs
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; call=absolute
# avoid: import torch._inductor.codegen.cpp as _cpp; _cpp.CppOverrides.abs = staticmethod(lambda x: f"static_cast<decltype({x})>(std::abs({x}))")
# here: 2.13.0, 2.15.0
# state: open
# "no matching function for call to max_propagate_nan(int&, signed char&)": std::abs promotes. Found by a campaign, reduced by
# hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, dtype=torch.int8),)


def program(x):
    return torch.clip(torch.abs(x), 2, 12)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
