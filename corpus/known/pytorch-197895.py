# Inductor: a floor division of floats is one too large where the quotient is just below an integer (1.0 // 0.1).
# link: https://github.com/pytorch/pytorch/issues/197895
# signature: 29d6359d475cf8c4 v7 value inductor
# pattern: kind=value; backend=inductor
# avoid: import torch._inductor.lowering as _lowering, torch._inductor.codegen.cpp as _cpp; _lowering._div_rn = _lowering.floordiv; _cpp.CppOverrides.floordiv = staticmethod((lambda f: lambda x, y: f"c10::div_floor_floating({x}, {y})" if x.dtype.is_floating_point else f(x, y))(_cpp.CppOverrides.floordiv))
# here: 2.13.0, 2.15.0
# state: open
# So for floor_divide and div with rounding_mode="floor". Inductor rounds the quotient, which makes 10 of 9.99…, and takes the
# floor of that; eager and Python take the remainder first. The avoid line does it like eager.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0]),)


def program(x):
    return x // 0.1


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
