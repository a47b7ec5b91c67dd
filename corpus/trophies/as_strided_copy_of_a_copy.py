# Inductor: as_strided_copy of a computed tensor reads memory in another layout than the tensor has.
# link: unreported
# signature: ae8c662e3709f842 v7 value inductor
# pattern: kind=value; backend=inductor; call=as_strided_copy
# avoid: import torch._inductor.decomposition as _decomposition; _decomposition.decompositions[torch.ops.aten.as_strided_copy.default] = lambda x, size, stride, storage_offset=None: torch.as_strided(x, size, stride, storage_offset).clone()
# here: 2.13.0, 2.15.0
# state: open
# What feeds as_strided gets the strides that it has in eager; as_strided_copy is missing in that list of the compiler, so the
# copy of a transposed tensor stays transposed in memory. The avoid line writes it as as_strided and a copy. Found and reduced
# by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(35).reshape(7, 5),)


def program(x):
    return torch.as_strided_copy(x.t().contiguous(), (1, 5), (0, 1))


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
