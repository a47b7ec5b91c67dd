# Dynamo: an f-string of nothing but a dynamic number is the number itself, not a text.
# link: https://github.com/pytorch/pytorch/pull/189830
# signature: fa52d35adb09b998 v7 structure eager
# signature: e499ec064033f962 v7 structure eager
# pattern: kind=structure; backend=eager; frame=output; frame=type
# avoid: import torch._dynamo.variables.lazy as _lazy; _lazy.LazyVariableTracker.create = staticmethod((lambda f: lambda value, source, **more: f(value, None if isinstance(value, _lazy.LazySymNodeFormatString) else source, **more))(_lazy.LazyVariableTracker.create))
# here: 2.13.0
# gone: 2.15.0
# state: open
# Its text is noted under the place that the number came from, and is taken from there when it is made again. The pull request,
# closed, has a TypeError of a longer f-string across a graph break, and gives the text no place, as the avoid line does. An int
# or float argument is dynamic from the second call on, or at once with dynamic=True; so is a number from .item() behind a
# graph break.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(2), 1.5), (torch.ones(2), 2.5)]


def program(x, n):
    return x + 1, f"{n}"


def results(function):
    return [function(*arguments)[1] for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "expected str instance" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
