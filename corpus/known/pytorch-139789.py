# AOTAutograd: a graph compiled for arguments that don't alias is used again for arguments that do.
# link: https://github.com/pytorch/pytorch/issues/139789
# signature: 8463c9aa206b5b82 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; frame=later call
# pattern: kind=state_after; backend=aot_eager; frame=later call
# pattern: kind=gradient; backend=aot_eager; frame=later call
# avoid: import torch._dynamo.backends.common as _common; _common.aot_module_simplified = (lambda compile_it, shared: lambda module, arguments, *rest, **named: (lambda made: lambda *now: (made.get(str(shared(now))) or made.setdefault(str(shared(now)), compile_it(module, now, *rest, **named)))(*now))({str(shared(arguments)): compile_it(module, arguments, *rest, **named)}))(_common.aot_module_simplified, (lambda tensor: lambda arguments: (lambda keys: [keys.index(key) for key in keys])([x.untyped_storage()._cdata if isinstance(x, tensor) else -1 - i for i, x in enumerate(arguments)]))(torch.Tensor))
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
