# inductor: wrong values: relu.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
# Found by jitprobe 0.1.0.
import os
import sys

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
        torch.testing.assert_close(run(program), eager, rtol=0, atol=0, equal_nan=True)
        compiled = run(torch.compile(program, backend="inductor"))
    except BaseException as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    torch.testing.assert_close(compiled, eager, equal_nan=True)
