# aot_autograd: call while compiling: relu.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
# Found by jitprobe 0.1.0.
import os
import sys
import traceback

if __name__ == "__main__":  # what fails before the check can't be judged: exit 2
    sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.stderr.flush(), os._exit(2))

import torch


def make_inputs():
    return (torch.tensor([-1.0, 0.5], requires_grad=True),)


def program(x):
    return torch.relu(x)


def run(function):
    return function(*make_inputs())


if __name__ == "__main__":
    sys.excepthook = sys.__excepthook__
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = run(program)
    except BaseException as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    failure = None
    try:
        print("compiled:", run(torch.compile(program, backend="aot_eager")))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failure = error
        traceback.print_exc(file=sys.stdout)
    assert failure is None, "only the compiled function raises"
