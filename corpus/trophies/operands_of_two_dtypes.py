# Inductor: operands of two dtypes are promoted where eager wants them to have one (cross, mv, heaviside, index_add).
# link: unreported
# signature: 1a798c7fd9d659c0 v7 accepts aot_eager_decomp_partition
# pattern: kind=accepts; backend=inductor; frame=same dtype
# pattern: kind=accepts; backend=inductor; frame=scalar type
# pattern: kind=accepts; backend=inductor; frame=different dtypes
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=same dtype
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=scalar type
# pattern: kind=accepts; backend=aot_eager_decomp_partition; frame=different dtypes
# avoid: exec("import torch, torch._inductor.decomposition as decomposition, torch._inductor.lowering as lowering\nfrom torch._inductor.virtualized import V\nfrom torch.utils import _pytree\nfrom torch.utils._python_dispatch import _disable_current_modes\ndef number(n):\n    return n.node.hint if isinstance(n, (torch.SymInt, torch.SymFloat, torch.SymBool)) else n if isinstance(n, int) else V.graph.sizevars.optimization_hint(n, fallback=8)\ndef like(x):\n    if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):\n        return number(x)\n    read = (x.shape, x.dtype) if isinstance(x, torch.Tensor) else (x.get_size(), x.get_dtype()) if hasattr(x, 'get_dtype') and hasattr(x, 'get_size') else None\n    if read is None:\n        return x\n    return (torch.ones if read[1].is_floating_point or read[1].is_complex else torch.zeros)([min(number(n), 8) for n in read[0]], dtype=read[1])\ndef refuses(op, args, named):\n    with _disable_current_modes(), torch.random.fork_rng(), torch.no_grad():\n        try:\n            args, named = _pytree.tree_map(like, (args, named))\n            op(*args, **named)\n        except Exception as error:\n            return any(words in str(error) for words in ('same dtype', 'scalar type', 'different dtypes'))\n    return False\ndef strict(op, f, other):\n    return lambda *args, **named: other(op, args, named) if refuses(op, args, named) else f(*args, **named)\ndef kept(op, args, named):\n    lowering.lowerings.setdefault(op, lowering.fallback_handler(op, add_to_fallback_set=False))\n    return NotImplemented\ndef called(op, args, named):\n    return lowering.fallback_handler(op, add_to_fallback_set=False)(*args, **named)\nfor table, other in ((decomposition.decompositions, kept), (lowering.lowerings, called)):\n    for op in list(table):\n        if isinstance(op, torch._ops.OpOverload) and op.namespace == 'aten':\n            table[op] = strict(op, table[op], other)", {})
# here: 2.13.0, 2.15.0
# state: open
# The decompositions of cross, mv, heaviside, index_add, index_copy and group_norm compute with type promotion, and don't check
# what eager's kernels check. mm and bmm did the same (pytorch 171190, 177630) and check it by now. The avoid line asks eager
# with small tensors of the same dtypes, and has what eager refuses called as it is.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3), torch.ones(3, dtype=torch.float64))


def program(x, y):
    return torch.cross(x, y, dim=0)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "expected scalar type" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="inductor"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if type(compiled) is type(refused) else 1)
