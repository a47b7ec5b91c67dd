# Inductor: replicate padding of a view of a computed tensor does not compile.
# link: unreported
# signature: d80367dde9c8ae61 v7 compiler_error inductor
# pattern: backend=inductor; frame=vr must not be None
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(4, 8),)


def program(x):
    return torch.nn.functional.pad((x + 0).view(1, 32), (1, 0), mode="replicate")


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
