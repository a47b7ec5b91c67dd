# Dynamo: a copy of a module's state_dict() is empty.
# link: unreported
# signature: 55a8871c4fb97dcf v7 structure eager
# state: open
# around: import copy; copy.deepcopy = torch._dynamo.disable(copy.deepcopy); copy.copy = torch._dynamo.disable(copy.copy)
# here: 2.13.0
# gone: 2.15.0
# Both copy.copy and copy.deepcopy give an OrderedDict without items, where that of the same tensors in an OrderedDict which the
# program has made is right. The best weights that a training loop keeps are then none. The around line breaks the graph there.
# Found with a training loop of the usual form, reduced by jitprobe.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import copy
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)

torch.manual_seed(0)
net = torch.nn.Linear(1, 1)


def make_inputs():
    return (torch.ones(1),)


def program(x):
    return x + 1, copy.deepcopy(net.state_dict())


if __name__ == "__main__":
    try:
        _, expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    _, shown = torch.compile(program, backend="eager")(*make_inputs())
    print(f"torch {torch.__version__}: eager gives {list(expected)}, compiled {list(shown)}")
    sys.exit(0 if list(expected) == list(shown) else 1)
