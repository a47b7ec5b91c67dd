# Inductor's decomposition of lerp: with a weight of at least a half, the result has the end's strides, and its view fails.
# link: https://github.com/pytorch/pytorch/issues/198343
# signature: c3b5e2cf9f2addd9 v7 compiler_error aot_eager_decomp_partition
# pattern: kind=compiler_error; call=lerp; frame=Cannot view a tensor with shape
# pattern: kind=compiler_error; call=lerp_; frame=Cannot view a tensor with shape
# avoid: exec("import torch, torch._inductor.decomposition as decomposition\ndef laid(plain):\n    def lerp(start, end, weight):\n        made = plain(start, end, weight)\n        return torch.ops.aten.copy(torch.empty_like(start, dtype=made.dtype), made) if made.shape == start.shape else made\n    return lerp\nfor op in (torch.ops.aten.lerp.Scalar, torch.ops.aten.lerp.Tensor):\n    decomposition.decompositions[op] = laid(decomposition.decompositions[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# It begins with the end there, and a result takes the layout of its first operand. So for a weight that is a tensor. The avoid
# line lays the result out like the start.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, 3, 4), torch.zeros(2, 4, 3).transpose(1, 2))


def program(x, y):
    return torch.lerp(x, y, 0.75).view(-1)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Cannot view a tensor" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 2)
