# Inductor: dtypes for which eager has no kernel are computed, or end in a C++ compile error.
# link: https://github.com/pytorch/pytorch/issues/198155
# signature: f149950c5e36bc7b v7 accepts inductor
# signature: 53afaf6d89dcf75e v7 compiler_error inductor
# pattern: kind=accepts; backend=inductor; frame=not implemented for
# pattern: kind=accepts; backend=inductor; frame=does not support
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=not implemented for
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=does not support
# pattern: kind=compiler_error; backend=inductor; frame=CppCompileError
# oracle: rejects_alike
# avoid: exec("import torch, torch._inductor.decomposition as decomposition, torch._inductor.lowering as lowering\nfrom torch.utils import _pytree\nfrom torch.utils._python_dispatch import _disable_current_modes\ndef tiny(x):\n    if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):\n        return x.node.hint\n    if isinstance(x, torch.Tensor):\n        return torch.ones((4 if x.dim() < 8 else 1,) * x.dim(), dtype=x.dtype)\n    return torch.ones((4 if len(x.get_size()) < 8 else 1,) * len(x.get_size()), dtype=x.get_dtype()) if hasattr(x, 'get_dtype') and hasattr(x, 'get_size') else x\ndef refuses(op, args, named):\n    with _disable_current_modes(), torch.random.fork_rng(), torch.no_grad():\n        try:\n            args, named = _pytree.tree_map(tiny, (args, named))\n            op(*args, **named)\n        except Exception as error:\n            return 'not implemented for' in str(error) or 'does not support' in str(error)\n    return False\ndef strict(op, f, other):\n    return lambda *args, **named: other(op, args, named) if refuses(op, args, named) else f(*args, **named)\ndef kept(op, args, named):\n    lowering.lowerings.setdefault(op, lowering.fallback_handler(op, add_to_fallback_set=False))\n    return NotImplemented\ndef called(op, args, named):\n    return lowering.fallback_handler(op, add_to_fallback_set=False)(*args, **named)\nfor table, other in ((decomposition.decompositions, kept), (lowering.lowerings, called)):\n    for op in list(table):\n        if isinstance(op, torch._ops.OpOverload) and op.namespace == 'aten':\n            table[op] = strict(op, table[op], other)", {})
# here: 2.13.0, 2.15.0
# state: open
# The bitwise operators and shifts of floats, hardswish of integers, threshold, glu and argmin of bools: neither the
# decompositions nor the lowerings check what eager's dispatch over dtypes does. The avoid line asks eager with a small tensor of
# the same dtypes, and has what eager refuses called as it is. A program that catches eager's exception goes another way, which
# the patterns leave out.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(3.0), torch.ones(3))


def program(x, y):
    return torch.bitwise_and(x, y)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "not implemented for" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="inductor"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if type(compiled) is type(refused) else 1)
