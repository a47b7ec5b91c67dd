# Dynamo: a finished generator that a variable still holds at a graph break fails: no attribute 'remaining_items'.
# link: https://github.com/pytorch/pytorch/pull/188738
# signature: e7897f988c9751d9 v7 compiler_error eager
# pattern: kind=compiler_error; frame=functions.py:reconstruct; frame=object has no attribute
# avoid: import torch._dynamo.variables.functions; torch._dynamo.variables.functions.LocalGeneratorObjectVariable.remaining_items = []
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Any generator that is closed or read to its end.
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
    step = (y + 1 for y in (x,))
    z = next(step)
    step.close()
    torch._dynamo.graph_break()
    return z, bool(step)


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "remaining_items" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
