# Dynamo: a comparison of a dynamic number is never True where "is" asks, as match does: the wrong branch is taken.
# link: unreported
# pattern: kind=raises; backend=eager; frame=is not associated with a value; call=item
# versions: 2.13.0
# state: open
# The number is symbolic from the second call on; "is" then asks whether the SymBool itself is True. So for shapes, too, and
# for bool(y < 4) is True. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2), 1.5), (torch.ones(2), 2.5)


def program(x, y):
    match y < 4:
        case True:
            return x + 1
    return x - 1


def results(function):
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 1)
