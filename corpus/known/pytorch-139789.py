# AOTAutograd: a graph compiled for arguments that don't alias is used again for arguments that do.
# link: https://github.com/pytorch/pytorch/issues/139789
# signature: 8463c9aa206b5b82 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; frame=later call
# pattern: kind=state_after; backend=aot_eager; frame=later call
# pattern: kind=gradient; backend=aot_eager; frame=later call
# avoid: exec("import torch, torch._dynamo.backends.common as common\nplain = common.aot_module_simplified\ndef shared(arguments):\n    keys = [x.untyped_storage()._cdata if isinstance(x, torch.Tensor) else -1 - i for i, x in enumerate(arguments)]\n    return [keys.index(key) for key in keys]\ndef layout(arguments):\n    return str(shared(arguments)) + str([(x.size(), x.stride(), x.storage_offset()) if isinstance(x, torch.Tensor) else x for x in arguments])\ndef simplified(module, arguments, *rest, **named):\n    first, compiled, others = shared(arguments), plain(module, arguments, *rest, **named), {}\n    def call(*now):\n        if shared(now) == first:\n            return compiled(*now)\n        key = layout(now)\n        if key not in others:\n            others[key] = plain(module, now, *rest, **named)\n        return others[key](*now)\n    return call\ncommon.aot_module_simplified = simplified", {})
# here: 2.13.0, 2.15.0
# state: open
# No guard says that a mutated argument aliases no other. Changed in pull request 185891, open. The other way round it
# is
# pull request 185891's own example, pytorch-185891.py.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.ones(2)
    return [(torch.ones(2), torch.ones(2)), (x, x[:])]


def program(x, y):
    x.neg_()
    return y + 1


def results(function):
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 1)
