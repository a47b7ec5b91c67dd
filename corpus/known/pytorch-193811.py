# AOTAutograd: interpolate, hardshrink, one_hot and losses take what eager's kernels refuse, mostly dtypes.
# link: https://github.com/pytorch/pytorch/issues/193811
# signature: 18d72911702dd53a v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=not implemented for
# pattern: kind=accepts; backend=aot_eager; frame=scalar type
# pattern: kind=accepts; backend=aot_eager; frame=only applicable
# pattern: kind=accepts; backend=aot_eager; frame=not differentiable with respect to
# avoid: exec("import torch, torch._decomp\nfrom torch._C import DispatchKey\nfrom torch._dispatch.python import no_python_dispatcher\nfrom torch.utils import _pytree\nfrom torch.utils._python_dispatch import _disable_current_modes\ndef like(x):\n    if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):\n        return x.node.hint\n    if not isinstance(x, torch.Tensor):\n        return x\n    fill = torch.ones if x.is_floating_point() or x.is_complex() else torch.zeros\n    return fill([min(n.node.hint if isinstance(n, torch.SymInt) else n, 8) for n in x.shape], dtype=x.dtype, requires_grad=x.requires_grad)\ndef refuses(op, args, named):\n    with _disable_current_modes(), no_python_dispatcher():\n        try:\n            args, named = _pytree.tree_map(like, (args, named))\n            op(*args, **named)\n        except Exception as error:\n            return any(words in str(error) for words in ('not implemented for', 'scalar type', 'only applicable', 'not differentiable'))\n    return False\ndef strict(op, f):\n    def called(*args, **named):\n        if refuses(op, args, named):\n            with no_python_dispatcher():\n                return op(*args, **named)\n        return f(*args, **named)\n    return called\npackets = [packet for packet in vars(torch.ops.aten).values() if isinstance(packet, torch._ops.OpOverloadPacket)]\nfor op in [getattr(packet, name) for packet in packets for name in packet.overloads()]:\n    for key in (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd):\n        if key in getattr(op, 'py_kernels', {}):\n            op.py_kernels[key] = strict(op, op.py_kernels[key])\n            op._dispatch_cache.clear()", {})
# here: 2.13.0, 2.15.0
# state: open
# Decompositions that are registered for autograd itself, and so apply with any backend behind AOTAutograd, don't check what eager
# does: upsampling and hardshrink of integers, bools and complex numbers, multilabel_margin_loss of half types, one_hot of int32,
# multi_margin_loss with a weight of another dtype or one that requires a gradient. Inductor's own are pytorch 198155. The avoid
# line asks eager with small tensors of the same dtypes, and has what eager refuses called as it is.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(6).reshape(1, 1, 6),)


def program(x):
    return torch.nn.functional.interpolate(x, scale_factor=2.0)


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
    compiled, given = refusal(torch.compile(program, backend="aot_eager"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if type(compiled) is type(refused) else 1)
