# A planted fault of backends/several.py, as a known bug: flip has no kernel, unless relu was called before.
# link: https://github.com/planted/planted/issues/1
# pattern: kind=raises; frame=no kernel was found; call=flip
# avoid: import os; os.environ["SEVERAL_OFF"] = "flip"
# state: open
import sys

import torch
from torch.overrides import TorchFunctionMode


class NoKernel(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function.__name__ == "flip":
            raise RuntimeError("flip: no kernel was found")
        return function(*args, **(kwargs or {}))


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.flip(0)


if __name__ == "__main__":
    program(*make_inputs())
    try:
        with NoKernel():
            program(*make_inputs())
    except RuntimeError:
        sys.exit(1)
    sys.exit(0)
