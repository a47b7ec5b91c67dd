# Decomposition: addr of a complex tensor with one column that isn't contiguous fails at run time.
# link: unreported
# signature: 3e9ffefdf420a44d v7 raises aot_eager_decomp_partition
# pattern: kind=raises; frame=must be 1 to view Complex
# around: import torch._inductor.decomposition as _decomposition; _decomposition.decompositions[torch.ops.aten.add.Tensor] = (lambda add: lambda x, y, **named: NotImplemented if any(isinstance(one, torch.Tensor) and one.is_complex() and one.ndim and one.shape[-1] == 1 for one in (x, y)) else add(x, y, **named))(_decomposition.decompositions[torch.ops.aten.add.Tensor])
# here: 2.13.0, 2.15.0
# state: open
# The complex sum is written out on views as real numbers. What the view needs is asked of the traced tensor, whose stride
# of the dimension of size 1 is another than that of the tensor at run time. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones((1, 8), dtype=torch.complex64).transpose(0, 1), torch.ones(8), torch.ones(1))


def program(x, y, z):
    return x.addr(y, z)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "to view ComplexFloat as Float" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 2)
