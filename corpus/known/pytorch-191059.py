# Dynamo: __del__ of an object that compiled code makes and deletes doesn't run there.
# link: https://github.com/pytorch/pytorch/pull/191059
# signature: f9fdf7b635e44354 v7 value eager
# here: 2.13.0, 2.15.0
# state: open
# The pull request is about objects that are made once more behind a graph break, whose __del__ runs too often; here it runs too late.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


class Gone:
    def __init__(self, seen):
        self.seen = seen

    def __del__(self):
        self.seen.append(1)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    seen = []
    gone = Gone(seen)
    del gone
    return x + len(seen)


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
