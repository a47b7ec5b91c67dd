# Dynamo: a generator that a compiled function returns has been run to its end, and is a tuple_iterator.
# link: https://github.com/pytorch/pytorch/issues/198190
# signature: 8e9e9bc87342d00e v7 structure eager
# pattern: kind=structure; frame=output; frame=type
# here: 2.13.0, 2.15.0
# state: open
# What it would raise is raised by the call, and what it returns is lost. The same issue has a suspended one.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def steps(x):
    yield x + 1


def program(x):
    return steps(x)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives a {type(expected).__name__}, compiled a {type(shown).__name__}")
    sys.exit(0 if type(shown) is type(expected) else 1)
