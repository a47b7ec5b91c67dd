# Dynamo: a function that calls weakref.finalize can't be compiled: a guard fails on the frame that it was made for.
# link: unreported
# signature: 9033a096a538a03c v7 compiler_error eager
# pattern: kind=compiler_error; frame=Guard failed on the same frame; call=finalize
# around: import weakref; [setattr(weakref.finalize, name, torch._dynamo.disable(getattr(weakref.finalize, name))) for name in ("__init__", "__call__", "detach", "peek")]
# here: 2.13.0, 2.15.0
# state: open
# Dynamo traces finalize's own code and guards on the number of finalizers, which grows while it compiles, since it makes some
# itself. The around line breaks the graph there.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys
import weakref

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


class Thing:
    pass


thing = Thing()


def make_inputs():
    return (torch.ones(2),)


def program(x):
    weakref.finalize(thing, list)
    return x + 1


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Guard failed on the same frame" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
