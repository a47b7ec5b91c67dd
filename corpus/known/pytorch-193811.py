# AOTAutograd: interpolate and hardshrink of dtypes for which eager has no kernel are computed.
# link: https://github.com/pytorch/pytorch/issues/193811
# signature: 18d72911702dd53a v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=not implemented for
# avoid: exec("import torch, torch._decomp\nfrom torch._C import DispatchKey\nfrom torch._dispatch.python import no_python_dispatcher\nfrom torch.utils import _pytree\nfrom torch.utils._python_dispatch import _disable_current_modes\ndef tiny(x):\n    return torch.ones((4,) * x.dim(), dtype=x.dtype) if isinstance(x, torch.Tensor) else x\ndef refuses(op, args, named):\n    with _disable_current_modes(), no_python_dispatcher(), torch.no_grad():\n        try:\n            args, named = _pytree.tree_map(tiny, (args, named))\n            op(*args, **named)\n        except Exception as error:\n            return 'not implemented for' in str(error)\n    return False\ndef strict(op, f):\n    def called(*args, **named):\n        if refuses(op, args, named):\n            with no_python_dispatcher():\n                return op(*args, **named)\n        return f(*args, **named)\n    return called\npackets = [packet for packet in vars(torch.ops.aten).values() if isinstance(packet, torch._ops.OpOverloadPacket)]\nfor op in [getattr(packet, name) for packet in packets for name in packet.overloads()]:\n    for key in (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd):\n        if key in getattr(op, 'py_kernels', {}):\n            op.py_kernels[key] = strict(op, op.py_kernels[key])\n            op._dispatch_cache.clear()", {})
# here: 2.13.0, 2.15.0
# state: open
# Decompositions that are registered for autograd itself, and so apply with any backend behind AOTAutograd, don't check what
# eager's dispatch over dtypes does: upsampling and hardshrink of integers, bools and complex numbers. Inductor's own are
# pytorch 198155. The avoid line asks eager with a small tensor of the same dtypes, and has what eager refuses called as it is.
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
