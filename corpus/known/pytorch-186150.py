# Dynamo: as_strided_scatter of a view is refused where it reaches beyond the view's own elements, but not beyond its memory.
# link: https://github.com/pytorch/pytorch/pull/186150
# signature: daa61a89cac85255 v7 compiler_error eager
# pattern: kind=compiler_error; frame=as_strided_scatter: sizes
# avoid: exec("import torch, torch._prims as prims\ndef meta(input, src, size, stride, storage_offset):\n    utils.validate_shape(size)\n    utils.validate_strides(stride)\n    needed = utils.compute_required_storage_length(size, stride, storage_offset)\n    torch._check(input.untyped_storage().nbytes() >= needed * input.element_size(), lambda: 'as_strided_scatter: out of bounds for the storage')\n    torch._check(utils.is_same_shape(src.shape, size), lambda: 'expected src to have a size equal to the slice of self')\n    return utils.clone_preserve_strides(input)\nprims._as_strided_scatter_meta.__code__ = meta.__code__", {})
# here: 2.13.0
# gone: 2.15.0
# state: open
# Eager clones all of the memory behind the view, and checks against that. The check while compiling counts the view's elements.
# The avoid line asks for the memory. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(4), torch.tensor(5.0))


def program(x, y):
    return torch.as_strided_scatter(x[2], y, (), (), 2)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "out of bounds for storage" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
