"""A quick compiler with planted faults: eager, but for what goes wrong at some calls, each of which one program in a hundred
has."""

from torch.overrides import TorchFunctionMode

RAISES = {"roll": "shifts are not constant", "cumprod": "no kernel was found", "gather": "the index has no layout",
          "where": "sizes are unknown", "logsumexp": "no reduction fits", "index_add": "bad order"}
OFF_BY = {"lerp": 1.25, "norm": 1.5, "mean": 1.25, "atanh": 1.5, "softmax": 1.25, "std": 1.5}
PRINTS = ("cumsum", "diff")


class Faulty(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in RAISES:
            raise RuntimeError(f"{name}: {RAISES[name]}")
        result = function(*args, **(kwargs or {}))
        if name in PRINTS:
            print(name)
        wrong = name in OFF_BY and getattr(result, "is_floating_point", lambda: False)()
        return result * OFF_BY[name] if wrong else result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with Faulty():
            return fn(*args, **kwargs)

    return compiled
