# inductor: an integer division stored in a slice raises ZeroDivisionError, though nothing is zero.
# link: unreported
# pattern: backend=inductor; frame=ZeroDivisionError
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


def make_inputs():
    return (torch.tensor(1), torch.ones(2, dtype=torch.int64))


def program(x, y):
    a = torch.ones(2)
    a[0:1] = x.div(y, rounding_mode="floor").bitwise_and(y)[0:1]
    return a


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
