# Inductor: indices that become bools (of arange or a pooling) don't compile where they meet a condition.
# link: unreported
# signature: 8ca341879a90937a v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError; frame=has no member named
# avoid: exec("import torch, torch._inductor.codegen.cpp as _cpp\nfrom torch._inductor.virtualized import ops as _ops\n_cpp.CppVecOverrides.index_expr = staticmethod((lambda f: lambda expr, dtype: getattr(_ops.to_dtype(f(expr, torch.int64), dtype), \"value\", None) if dtype == torch.bool else f(expr, dtype))(_cpp.CppVecOverrides.index_expr))", {})
# here: 2.13.0
# gone: 2.15.0
# state: open
# The first index is made a bool, and a vector of bools counted up from it. So the indices of adaptive_max_pool2d, where each window
# has one element. The avoid line counts first. uint8_viewed_as_bool has the same words of the C++ compiler.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, 6, 1),)


def program(x):
    values, indices = torch.nn.functional.adaptive_max_pool2d(x, (6, None), return_indices=True)
    return values.logical_or(indices)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "CppCompileError" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
