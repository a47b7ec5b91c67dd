"""A quick compiler with planted faults: eager, but for what goes wrong at some calls. Each fault shows only behind another
call, so that most programs agree and no two faults look alike."""

from torch.overrides import TorchFunctionMode

# (a call, the one that must come before it): what goes wrong.
RAISES = {("flip", "relu"): "no kernel was found", ("roll", "exp"): "shifts are not constant", ("permute", "sin"): "bad order",
          ("cat", "tanh"): "sizes are unknown", ("where", "abs"): "the mask has no layout", ("sum", "cos"): "no reduction fits"}
WRONG = {("sin", "neg"): 1.25, ("cos", "abs"): 1.25, ("exp", "neg"): 1.5, ("tanh", "sum"): 1.25, ("sqrt", "abs"): 1.5,
         ("sigmoid", "relu"): 1.25, ("mean", "exp"): 1.5, ("softmax", "sin"): 1.25}
PRINTS = {("cumsum", "relu"), ("abs", "tanh")}


class Faulty(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.called = set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        pairs = [(name, before) for before in self.called]
        for pair in pairs:
            if pair in RAISES:
                raise RuntimeError(f"{name}: {RAISES[pair]}")
        result = function(*args, **(kwargs or {}))
        self.called.add(name)
        for pair in pairs:
            if pair in WRONG and getattr(result, "is_floating_point", lambda: False)():
                result = result * WRONG[pair]
            if pair in PRINTS:
                print(*pair)
        return result


def compile(fn, **options):
    def compiled(*args, **kwargs):
        with Faulty():
            return fn(*args, **kwargs)

    return compiled
