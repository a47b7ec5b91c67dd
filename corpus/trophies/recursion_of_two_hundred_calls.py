# Dynamo: a function that calls itself two hundred times fails while compiling: it runs out of Python's stack.
# link: unreported
# signature: 97d24225df72de3e v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=RecursionError
# around: import sys; sys.setrecursionlimit(20000)
# here: 2.13.0, 2.15.0
# state: open
# For each call that it inlines, Dynamo itself makes eleven, and nothing stops it before Python's limit (1000). A RecursionError of
# a recursion without end, which the program catches, comes out the same way: as an InternalTorchDynamoError.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def depth(n):
    return 1 + depth(n - 1) if n else 0


def program(x):
    return x + depth(200)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "maximum recursion depth" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
