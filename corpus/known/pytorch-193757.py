# Inductor: binary_cross_entropy takes targets and inputs outside of 0 to 1, which eager refuses.
# link: https://github.com/pytorch/pytorch/issues/193757
# signature: 54e2d92d2d69b9a1 v7 accepts aot_eager_decomp_partition
# signature: 18c6dcf1230c7b81 v7 accepts aot_eager_decomp_partition
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=should be between
# pattern: kind=accepts; backend=inductor; frame=should be between
# avoid: exec("import torch, torch._inductor.decomposition as decomposition\ntable, op = decomposition.decompositions, torch.ops.aten.binary_cross_entropy.default\ndef checked(run):\n    def f(x, target, *rest, **named):\n        for name, one in (('input', x), ('target', target)):\n            torch.ops.aten._assert_async.msg(((one >= 0) & (one <= 1)).all(), f'all elements of {name} should be between 0 and 1')\n        return run(x, target, *rest, **named)\n    return f\ntable[op] = checked(table[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# The decomposition leaves out the check, as its comment says. The avoid line adds it.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2), torch.full((2,), 1.5))


def program(x, y):
    return torch.nn.functional.binary_cross_entropy(x, y)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "should be between" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="aot_eager_decomp_partition"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {compiled or given}")
    sys.exit(0 if "should be between" in str(compiled) else 2 if compiled else 1)
