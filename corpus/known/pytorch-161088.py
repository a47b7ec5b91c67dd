# Fake tensors: where with a condition of bytes is refused, which eager takes with a warning.
# link: https://github.com/pytorch/pytorch/issues/161088
# signature: b4eea82c9613fa42 v7 compiler_error eager
# pattern: kind=compiler_error; frame=expected predicate to be bool, got torch.uint8
# pattern: kind=raises; frame=expected predicate to be bool, got torch.uint8
# around: torch.where = (lambda f, bools: lambda c, *rest, **named: f(bools(c), *rest, **named))(torch.where, lambda c: c.bool() if isinstance(c, torch.Tensor) and c.dtype == torch.uint8 else c); torch.Tensor.where = (lambda f: lambda x, c, *rest, **named: f(x, c.bool() if isinstance(c, torch.Tensor) and c.dtype == torch.uint8 else c, *rest, **named))(torch.Tensor.where)
# here: 2.13.0, 2.15.0
# state: open
# The issue has it for torch.export. Found by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return torch.ones(2), torch.ones(2, dtype=torch.uint8)


def program(x, y):
    return torch.where(y, x, x + 1)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
