# AOTAutograd: out= takes a tensor of another dtype than the result's, and casts.
# link: https://github.com/pytorch/pytorch/issues/137213
# signature: d583b803c11ded37 v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=out tensor to have dtype
# pattern: kind=accepts; backend=aot_eager; frame=dtype is wrong
# pattern: kind=accepts; backend=aot_eager; frame=but got scalar type
# pattern: kind=accepts; backend=aot_eager; frame=Found dtype
# avoid: exec("import torch\nfrom torch._subclasses.functional_tensor import FunctionalTensorMode\nfrom torch.utils import _pytree\nfrom torch.utils._python_dispatch import _disable_current_modes\nplain = FunctionalTensorMode.__torch_dispatch__\ndef like(x):\n    if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):\n        return x.node.hint\n    if not isinstance(x, torch.Tensor):\n        return x\n    fill = torch.ones if x.is_floating_point() or x.is_complex() else torch.zeros\n    return fill([min(n.node.hint if isinstance(n, torch.SymInt) else n, 8) for n in x.shape], dtype=x.dtype)\ndef dispatch(self, func, types, args=(), named=None):\n    if getattr(func, '_schema', None) is not None and func._schema.is_mutable:\n        with _disable_current_modes(), torch.random.fork_rng(), torch.no_grad():\n            try:\n                func(*_pytree.tree_map(like, args), **_pytree.tree_map(like, named or {}))\n            except RuntimeError as error:\n                if any(words in str(error) for words in ('to have dtype', 'dtype is wrong', 'but got scalar type', 'Found dtype')):\n                    raise\n            except Exception:\n                pass\n    return plain(self, func, types, args, named)\nFunctionalTensorMode.__torch_dispatch__ = dispatch", {})
# here: 2.13.0, 2.15.0
# state: open
# searchsorted, slice_scatter, scatter_reduce, index_copy, complex, aminmax and bitwise_not: the call becomes the one without out=
# and copy_, which casts anything. mm, whose own form with out= is traced, is refused compiled, too; matmul is not, and not avoided
# here. The avoid line asks eager with small tensors of the same dtypes before AOTAutograd rewrites a call that writes, and raises
# what eager raises.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(3.0), torch.zeros(3, dtype=torch.float64))


def program(x, y):
    return torch.slice_scatter(x, x, out=y)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "to have dtype" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="aot_eager"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if compiled else 1)
