# Inductor: the smallest of computed bools becomes C++ that g++ refuses.
# link: unreported
# signature: c5e5fb03c984637c v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=min_masked_reduce
# pattern: kind=compiler_error; backend=inductor; frame=max_masked_reduce
# avoid: exec("import torch, torch._inductor.codegen.cpp as cpp\nplain = cpp.CppVecKernel.reduction\ndef reduction(self, dtype, src_dtype, kind, value):\n    if getattr(value, \"is_vec\", False) and value.dtype == torch.bool:\n        cast = self.cse.generate(self.compute, self._get_mask_cast(value, torch.float))\n        cast.update_on_args(\"reduction\", (value,), {})\n        cast.dtype = torch.bool\n        value = cast\n    return plain(self, dtype, src_dtype, kind, value)\ncpp.CppVecKernel.reduction = reduction", {})
# here: 2.13.0, 2.15.0
# state: open
# The accumulator is a mask of float32, the product of two masks one of int32, and the function that reduces the elements
# behind the last full vector takes no two types. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([True]), torch.ones(6, dtype=torch.bool))


def program(x, y):
    return torch.min(torch.outer(x, y))


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}")
        sys.exit(1 if "C++ compile error" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
