# AOTAutograd: index_fill takes indices of int32, which eager refuses.
# link: unreported
# signature: f1307416ccf8ea28 v7 accepts inductor
# signature: 43b05cd4c875ec93 v7 accepts aot_eager_decomp_partition
# pattern: kind=accepts; backend=aot_eager_decomp_partition; call=index_fill
# pattern: kind=accepts; backend=aot_eager_decomp_partition; call=index_fill_
# avoid: exec("import torch, torch._refs as refs\nplain = refs._index_fill\ndef checked(x, dim, index, value, *, inplace):\n    torch._check_index(index.dtype == torch.int64, lambda: \"index_fill_(): Expected dtype int64 for index.\")\n    return plain(x, dim, index, value, inplace=inplace)\nrefs._index_fill = checked", {})
# here: 2.13.0, 2.15.0
# state: open
# The decomposition doesn't look at the indices' dtype. https://github.com/pytorch/pytorch/pull/142160 would have eager take
# them, too. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3), torch.arange(2, dtype=torch.int32))


def program(x, index):
    return torch.index_fill(x, 0, index, 2.0)


if __name__ == "__main__":
    try:
        shown = torch.compile(program, backend="aot_eager_decomp_partition")(*make_inputs())
    except IndexError as error:
        print(f"torch {torch.__version__}: compiled raises {error}")
        sys.exit(0)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        program(*make_inputs())
    except IndexError as error:
        print(f"torch {torch.__version__}: eager raises {error}, compiled gives {shown}")
        sys.exit(1)
    print("eager takes it, so that this can't be judged")
    sys.exit(2)
