# Dynamo: a suspended generator becomes a tuple_iterator at a graph break and has no throw, send or close.
# link: https://github.com/pytorch/pytorch/issues/198190
# signature: c440e4072da7bc58 v7 raises eager
# pattern: kind=raises; frame=AttributeError; frame='tuple_iterator' object has no attribute
# here: 2.13.0, 2.15.0
# state: open
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    def steps():
        try:
            yield
        except KeyError:
            yield x + 1

    step = steps()
    next(step)
    torch._dynamo.graph_break()
    return step.throw(KeyError())


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
