"""Several planted faults, of which one hides another: wrong values at some calls, an exception, a printed line. That of the
operators that SEVERAL_OFF names is off: what the known bug in several_known sets."""

import os

from torch.overrides import TorchFunctionMode

OFF_BY = {"sin": 1.25, "cos": 1.25, "exp": 1.5, "abs": 1.5, "tanh": 1.5, "sigmoid": 1.25, "sum": 1.25, "mean": 1.5, "neg": 1.25,
          "sqrt": 1.5, "softmax": 1.25}


class Several(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.called = set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        # Only behind relu, so that a reduction that drops relu meets another fault.
        refused = name in ("flip", "roll", "permute") and name not in os.environ.get("SEVERAL_OFF", "")
        if refused and "relu" not in self.called:
            raise RuntimeError(f"{name}: no kernel was found")
        result = function(*args, **(kwargs or {}))
        self.called.add(name)
        if name in OFF_BY and getattr(result, "is_floating_point", lambda: False)():
            return result * OFF_BY[name]
        if name == "cumsum":
            print("cumsum")
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with Several():
            return fn(*args, **kwargs)

    return compiled
