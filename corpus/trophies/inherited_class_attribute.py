# Dynamo: a class attribute that a compiled function writes is read as it was through a class that inherits it.
# link: unreported
# signature: 38f778e25c01a6e9 v7 value eager
# here: 2.13.0, 2.15.0
# state: open
# A read of the class itself sees the write.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


class Base:
    count = 1


class Derived(Base):
    pass


def make_inputs():
    return (torch.ones(2),)


def program(x):
    Base.count = 5
    y = x + Derived.count
    Base.count = 1
    return y


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
