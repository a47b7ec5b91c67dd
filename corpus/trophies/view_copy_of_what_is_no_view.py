# Decompositions: view_copy of a tensor that has no view of that shape doesn't compile.
# link: unreported
# signature: c3b5e2cf9f2addd9 v7 compiler_error aot_eager_decomp_partition
# pattern: kind=compiler_error; frame=Cannot view a tensor with shape; call=view_copy
# pattern: kind=raises; frame=Cannot view a tensor with shape; call=view_copy
# around: torch.view_copy = (lambda f: lambda x, size, **named: f(x.contiguous(), size, **named) if isinstance(size, (tuple, list, torch.Size)) and not named else f(x, size, **named))(torch.view_copy)
# here: 2.13.0, 2.15.0
# state: open
# The decomposition makes a view and copies it; eager copies. Found by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3, 2).t(),)


def program(x):
    return torch.view_copy(x, (6,))


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="aot_eager_decomp_partition")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
