# AOTAutograd: a graph compiled for arguments that alias is used again for arguments that don't.
# link: https://github.com/pytorch/pytorch/pull/185891
# signature: 8463c9aa206b5b82 v7 value aot_eager
# signature: 7a30b362f1083b84 v7 raises inductor
# pattern: kind=value; backend=aot_eager; frame=later call; call=flatten
# avoid: exec("import torch, torch._dynamo.backends.common as common\nplain = common.aot_module_simplified\ndef shared(arguments):\n    keys = [x.untyped_storage()._cdata if isinstance(x, torch.Tensor) else -1 - i for i, x in enumerate(arguments)]\n    return [keys.index(key) for key in keys]\ndef layout(arguments):\n    return str(shared(arguments)) + str([(x.size(), x.stride(), x.storage_offset()) if isinstance(x, torch.Tensor) else x for x in arguments])\ndef simplified(module, arguments, *rest, **named):\n    first, compiled, others = shared(arguments), plain(module, arguments, *rest, **named), {}\n    def call(*now):\n        if shared(now) == first:\n            return compiled(*now)\n        key = layout(now)\n        if key not in others:\n            others[key] = plain(module, now, *rest, **named)\n        return others[key](*now)\n    return call\ncommon.aot_module_simplified = simplified", {})
# here: 2.13.0, 2.15.0
# state: open
# The other way round it is pytorch 139789. Changed in that pull request, open.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.ones(())
    return [(x, x.flatten()), (torch.zeros(()), torch.ones(1))]


def program(x, y):
    x + 0
    return y.neg_()


def results(function):
    return [function(*arguments).clone() for arguments in make_inputs()]


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 1)
