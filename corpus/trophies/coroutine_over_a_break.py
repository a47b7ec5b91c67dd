# Dynamo: a coroutine with a graph break that the program advances itself ends in an assertion.
# link: unreported
# signature: 80c8a6a0c8afc7e4 v7 compiler_error eager
# pattern: kind=compiler_error; frame=Cannot generate resume function
# here: 2.13.0, 2.15.0
# state: open
# The frame of the coroutine is compiled by itself, since the function that advances it isn't; at its graph break Dynamo refuses to make a resume function.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


async def added(x):
    torch._dynamo.graph_break()
    return x + 1


def program(x):
    coroutine = added(x)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value


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
