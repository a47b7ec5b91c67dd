# AOTAutograd: a graph compiled for arguments that alias is used again for arguments that don't.
# link: https://github.com/pytorch/pytorch/pull/185891
# signature: 8463c9aa206b5b82 v7 value aot_eager
# signature: 7a30b362f1083b84 v7 raises inductor
# pattern: kind=value; backend=aot_eager; frame=later call; call=flatten
# avoid: import torch._dynamo.backends.common as _common; _common.aot_module_simplified = (lambda compile_it, shared: lambda module, arguments, *rest, **named: (lambda made: lambda *now: (made.get(str(shared(now))) or made.setdefault(str(shared(now)), compile_it(module, now, *rest, **named)))(*now))({str(shared(arguments)): compile_it(module, arguments, *rest, **named)}))(_common.aot_module_simplified, (lambda tensor: lambda arguments: (lambda keys: [keys.index(key) for key in keys])([x.untyped_storage()._cdata if isinstance(x, tensor) else -1 - i for i, x in enumerate(arguments)]))(torch.Tensor))
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
