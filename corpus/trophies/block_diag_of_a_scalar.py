# Decomposition: block_diag with a scalar tensor has the scalar's dtype, where eager lets the tensors with dimensions decide.
# link: unreported
# signature: 9a748a57877a53c2 v7 dtype aot_eager_decomp_partition
# pattern: kind=dtype; backend=aot_eager_decomp_partition; call=block_diag
# pattern: kind=value; backend=aot_eager_decomp_partition; call=block_diag
# around: import torch._inductor.decomposition as _decomposition; _decomposition.decompositions.pop(torch.ops.aten.block_diag.default, None)
# here: 2.13.0, 2.15.0
# state: open
# The decomposition makes each tensor a matrix before it joins them, so that the scalar takes part in the promotion. The
# around line runs eager's kernel. What the program itself reads as the result's dtype is wrong under every backend, since
# fake tensors use the decomposition, too. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3, dtype=torch.bfloat16), torch.ones((), dtype=torch.float64))


def program(x, y):
    return torch.block_diag(x, y)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs()).dtype
        shown = torch.compile(program, backend="inductor")(*make_inputs()).dtype
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
