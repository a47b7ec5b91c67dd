# Inductor: bytes viewed as bools don't compile where they are conditions or are summed.
# link: unreported
# signature: 8ca341879a90937a v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; call=view
# avoid: import torch._inductor.codegen.cpp as _cpp; _cpp.CppVecOverrides.to_dtype_bitcast = staticmethod((lambda f: lambda x, dtype, source: _cpp.CppVecOverrides.to_dtype(x, dtype, source) if dtype == torch.bool and source in (torch.uint8, torch.int8) else f(x, dtype, source))(_cpp.CppVecOverrides.to_dtype_bitcast))
# here: 2.13.0
# gone: 2.15.0
# state: open
# Code for a condition wants a mask, of the kind that a comparison gives; a view as bool gives a vector of bools: "has no member
# named 'cast'". So for any and sum, and for int8. The avoid line compares with zero.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(16, dtype=torch.uint8),)


def program(x):
    return torch.where(x.view(torch.bool), 1.0, 2.0)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "CppCompileError" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
