# inductor: torch.any of a uint8 tensor gives bool, where eager gives uint8.
# link: unreported
# pattern: kind=dtype; backend=inductor; call=any
# versions: 2.13.0
# state: open
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def program(x):
    return torch.any(x)


if __name__ == "__main__":
    x = torch.ones((), dtype=torch.uint8)
    try:
        expected = program(x).dtype
        shown = torch.compile(program)(x).dtype
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
