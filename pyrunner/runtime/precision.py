"""The same run in float64: inputs cast up with strides and aliasing kept, floating dtypes named in the program mapped.

Inputs are never drawn again: they are made as always, then cast. A storage whose tensors all have one floating dtype is
cast once and viewed anew, so arguments that overlapped still do.
"""

import types

import torch
from torch.overrides import TorchFunctionMode

_UP = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
    torch.complex32: torch.complex128,
}
_METHODS = {
    torch.Tensor.float: torch.Tensor.double,
    torch.Tensor.half: torch.Tensor.double,
    torch.Tensor.bfloat16: torch.Tensor.double,
    torch.Tensor.cfloat: torch.Tensor.cdouble,
}
# Drawn in the type that the program asked for, then cast: another type draws other numbers.
_RANDOM = {torch.rand, torch.randn, torch.normal, torch.rand_like, torch.randn_like}


def cast(module, calls):
    """The calls' arguments cast up; the file's global tensors, containers and modules too, in place in `module`."""
    casting = _Casting()
    calls = [casting.value(call) for call in calls]
    for name, item in list(module.__dict__.items()):
        if not name.startswith("__") and not isinstance(item, (types.ModuleType, types.FunctionType, type)):
            module.__dict__[name] = casting.value(item)
    torch.set_default_dtype(torch.float64)
    return calls


class _Casting:
    def __init__(self):
        self.done = {}
        self.storages = {}
        self.kept = []

    def value(self, x):
        if id(x) in self.done:
            return self.done[id(x)]
        self.kept.append(x)  # its id must stay its own
        if isinstance(x, torch.Tensor):
            self.done[id(x)] = result = self.tensor(x)
            return result
        self.done[id(x)] = x
        result = self.container(x)
        self.done[id(x)] = result
        return result

    def container(self, x):
        if type(x) is list:
            x[:] = [self.value(item) for item in x]
        elif isinstance(x, dict):
            for key in list(x):
                x[key] = self.value(x[key])
        elif type(x) is tuple:
            return tuple(self.value(item) for item in x)
        elif isinstance(x, tuple) and hasattr(x, "_fields"):
            return type(x)(*(self.value(item) for item in x))
        elif isinstance(x, torch.nn.Module):
            self.module(x)
        elif type(x) in (int, float, str, bool, bytes, complex, type(None)):
            return x
        elif isinstance(getattr(x, "__dict__", None), dict):
            for key, item in list(vars(x).items()):
                if isinstance(item, (torch.Tensor, list, dict, tuple, torch.nn.Module)):
                    try:
                        setattr(x, key, self.value(item))
                    except AttributeError:  # frozen
                        pass
        return x

    def module(self, module):
        for part in module.modules():
            for table in (part._parameters, part._buffers):
                for name, tensor in table.items():
                    if tensor is not None:
                        table[name] = self.value(tensor)

    def tensor(self, x):
        up = _UP.get(x.dtype)
        if up is None or x.layout is not torch.strided:
            return x
        if not x.is_leaf:
            if x._is_view() and x._base is not None and x._base.dtype == x.dtype:
                base = self.value(x._base)
                offset = x.storage_offset() - x._base.storage_offset() + base.storage_offset()
                with torch.enable_grad():
                    return base.as_strided(x.shape, x.stride(), offset)
            with torch.enable_grad():
                return x.to(up)
        result = self.viewed(x, up).requires_grad_(x.requires_grad)
        return torch.nn.Parameter(result, x.requires_grad) if isinstance(x, torch.nn.Parameter) else result

    def viewed(self, x, up):
        storage = x.untyped_storage()
        key = (storage._cdata, x.dtype)
        if key not in self.storages:
            self.kept.append(storage)
            whole = torch.empty(0, dtype=x.dtype)
            whole.set_(storage, 0, (storage.nbytes() // x.element_size(),))
            self.storages[key] = whole.to(up)
        return self.storages[key].as_strided(x.shape, x.stride(), x.storage_offset())


class DtypesUp(TorchFunctionMode):
    """Maps floating dtypes named in calls of torch: arguments, keywords, `.float()` and the like."""

    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        if function in _RANDOM:
            result = function(*arguments, **self._native(function, arguments, keywords))
            return result.to(torch.float64)
        function = _METHODS.get(function, function)
        arguments = tuple(_mapped(item) for item in arguments)
        return function(*arguments, **{name: _mapped(item) for name, item in keywords.items()})

    @staticmethod
    def _native(function, arguments, keywords):
        if function in (torch.rand, torch.randn) and keywords.get("dtype") is None:
            return {**keywords, "dtype": torch.float32}
        return keywords


def _mapped(item):
    return _UP.get(item, item) if isinstance(item, torch.dtype) else item
