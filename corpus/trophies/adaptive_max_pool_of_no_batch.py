# Inductor: adaptive_max_pool2d of no images (0, H, W) fails while compiling where the sizes divide.
# link: unreported
# signature: 89c53dc13f1d45c4 v7 compiler_error aot_eager_decomp_partition
# pattern: kind=compiler_error; frame=pool2d_shape_check; call=adaptive_max_pool2d
# pattern: kind=compiler_error; frame=pool2d_shape_check; call=adaptive_max_pool1d
# pattern: kind=compiler_error; frame=non-batch dimensions to have positive length; call=adaptive_max_pool3d
# avoid: exec("import torch, torch._inductor.decomposition as decomposition\ntable = decomposition.decompositions\ndef own(run):\n    def f(x, size, *rest, **named):\n        made = run(x, size, *rest, **named) if x.shape[0] != 0 else None\n        shape = [*x.shape[:-len(size)], *size]\n        return made if x.shape[0] != 0 else (x.new_empty(shape), x.new_empty(shape, dtype=torch.int64))\n    return f\nfor op in (torch.ops.aten.adaptive_max_pool2d.default, torch.ops.aten.adaptive_max_pool3d.default):\n    if op in table:\n        table[op] = own(table[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# The decomposition calls max_pool2d, which takes such a tensor for an image with no channels and refuses it, in eager as well. So
# for adaptive_max_pool1d and adaptive_max_pool3d. The avoid line makes the empty results itself.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(0, 6, 1),)


def program(x):
    return torch.nn.functional.adaptive_max_pool2d(x, (3, 1))


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="aot_eager_decomp_partition")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Expected 3D or 4D" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
