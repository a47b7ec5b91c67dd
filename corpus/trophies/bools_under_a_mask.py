# Inductor: a comparison that is read under a mask, such as for a write to a slice, becomes C++ that g++ refuses.
# link: unreported
# signature: b8976cd4224033ff v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=at::vec::CPU_CAPABILITY::VecMask
# avoid: import torch._inductor.codegen.cpp as _cpp; _cpp.CppVecOverrides.masked = staticmethod((lambda masked: lambda mask, body, other: masked(mask, lambda: (lambda value: (lambda cast: (cast.update_on_args("masked", (value,), {}), setattr(cast, "dtype", torch.bool), cast)[2])(_cpp.V.kernel.cse.generate(_cpp.V.kernel.compute, _cpp.V.kernel._get_mask_cast(value, torch.float))) if value.is_vec and value.dtype == torch.bool else value)(body()), other))(_cpp.CppVecOverrides.masked))
# here: 2.13.0
# gone: 2.15.0
# state: open
# In vectorized code a comparison of int64 is a mask of int64, what stands beside it for elements outside of the mask is one
# of float32, and `?:` takes no two types. So with int32 and float64, too. The avoid line casts the comparison. Found and
# reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3, 8, dtype=torch.int64), torch.ones(3, 8, dtype=torch.int64))


def program(x, y):
    same = x == y
    copy = same.clone()
    copy[:1] = same[2:]
    return copy


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        refused = "VecMask" in str(error)
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}")
        sys.exit(1 if refused else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
