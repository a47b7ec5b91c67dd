"""The same run in a higher precision or on another device: inputs are converted with their strides and aliasing, and
floating dtypes that the program names are mapped.

"float64" raises every floating type, "float32" only the half types. Inputs are not drawn again: they are made as
always, then cast. A storage whose tensors all have one floating dtype is cast once and its views are made anew, so
arguments that overlapped still do. Regions of autocast keep their state but don't cast, since casting would bring half
types back.

Code that reads a dtype (`x.dtype == torch.float32`, `torch.finfo(x.dtype)`) sees the one that eager sees, as long as all
tensors of the call had one and the same before the cast; else the one after it. Random numbers are drawn in the type in
which eager draws them, then cast (drawing.py).
"""

import types

import torch
from torch.overrides import TorchFunctionMode

from ..compat import eager
from . import drawing

_HALF = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
_UP = {
    "float32": _HALF,
    "float64": {
        torch.float16: torch.float64,
        torch.bfloat16: torch.float64,
        torch.float32: torch.float64,
        torch.complex64: torch.complex128,
        torch.complex32: torch.complex128,
    },
}
_WIDE = {torch.Tensor.double: torch.float64, torch.Tensor.cdouble: torch.complex128}
_METHODS = {
    torch.Tensor.float: torch.float32,
    torch.Tensor.half: torch.float16,
    torch.Tensor.bfloat16: torch.bfloat16,
    torch.Tensor.cfloat: torch.complex64,
    torch.Tensor.chalf: torch.complex32,
}

# More parts of an argument are not looked through for types. Chosen, not measured; each may be a step deeper.
_MOST_PARTS = 200
# Of a tensor, beside its dtype: a text, or bytes.
_SAY_THE_TYPE = {torch.Tensor.type, torch.Tensor.element_size, torch.Tensor.itemsize.__get__, torch.Tensor.nbytes.__get__}


def _is_array(item):
    return type(item).__module__ == "numpy"


def _has_type(item):
    """Whether an argument decides the type of a floating result."""
    if isinstance(item, (list, tuple)):
        return any(map(_has_type, item))
    return isinstance(item, torch.dtype) or drawing.is_floating(item)


def cast(module, calls, precision="native", device="cpu", source=""):
    """Casts and moves the arguments of the calls, and, in place in `module`, the file's global tensors, containers,
    modules, attributes and defaults of parameters. Sets torch's default dtype and device accordingly. Returns the calls, a
    function that casts the file's globals once more, for use after code has set them anew, and the types that were cast
    (drawing.Natives), with those of each call's arguments. `source`: of the program."""
    up = _UP.get(precision, {})
    default = torch.get_default_dtype()
    natives = drawing.Natives(up, default, source)
    casting = _Casting(up, torch.device(device), natives)
    with eager.DisableTorchFunction():
        kinds = [set(_dtypes(call, {})) for call in calls]
        calls = [casting.value(call) for call in calls]
    natives.begin()
    casting.globals(module)
    natives.end_globals()
    torch.set_default_dtype(up.get(default, default))
    if device != "cpu":
        torch.set_default_device(device)
    return calls, lambda: casting.globals(module), (natives, kinds)


def _dtypes(x, seen):
    """Those of the tensors in a value; `seen` has what was looked at."""
    if id(x) in seen or len(seen) > _MOST_PARTS or isinstance(x, (types.ModuleType, types.FunctionType)):
        return
    seen[id(x)] = x
    if isinstance(x, torch.Tensor):
        yield x.dtype
    elif isinstance(x, torch.nn.Module):
        yield from (item.dtype for item in (*x.parameters(), *x.buffers()))
    inside = x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple, set)) else ()
    own = getattr(x, "__dict__", None)
    for item in (*inside, *(own.values() if isinstance(own, dict) and not isinstance(x, type) else ())):
        yield from _dtypes(item, seen)


class _Casting:
    def __init__(self, up, device, natives):
        self.up = up
        self.device = device
        self.natives = natives
        self.done = {}
        self.storages = {}
        self.kept = []

    def globals(self, module):
        # The contents of containers may have changed since; the result of casting a tensor stays valid.
        self.done = {key: result for key, result in self.done.items() if isinstance(result, torch.Tensor)}
        with eager.DisableTorchFunction():
            for name, item in list(module.__dict__.items()):
                if name.startswith("__") or isinstance(item, types.ModuleType):
                    continue
                if isinstance(item, (types.FunctionType, type)):
                    if item.__module__ == module.__name__:
                        self.attributes(item)
                        self.defaults(item)
                else:
                    module.__dict__[name] = self.value(item)

    def defaults(self, x):
        """Those of a function's parameters, or of the parameters of a class's functions."""
        for function in [x] if isinstance(x, types.FunctionType) else vars(x).values():
            if not isinstance(function, types.FunctionType):
                continue
            if function.__defaults__:
                function.__defaults__ = self.value(function.__defaults__)
            if function.__kwdefaults__:
                self.value(function.__kwdefaults__)

    def attributes(self, x):
        for key, item in list(vars(x).items()):
            if not key.startswith("__") and isinstance(item, (torch.Tensor, list, dict, tuple, torch.nn.Module)):
                try:
                    setattr(x, key, self.value(item))
                except AttributeError:  # a frozen dataclass, for example
                    pass

    def value(self, x):
        if id(x) in self.done:
            return self.done[id(x)]
        self.kept.append(x)  # stays alive, so that its id() is not reused
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
            self.attributes(x)
        return x

    def module(self, module):
        for part in module.modules():
            for table in eager.parameters_to_cast(part):
                for name, tensor in table.items():
                    if tensor is not None:
                        table[name] = self.value(tensor)
            for name, item in list(vars(part).items()):
                if not name.startswith("_") and isinstance(item, (torch.Tensor, list, dict, tuple)):
                    vars(part)[name] = self.value(item)

    def tensor(self, x):
        up = self.up.get(x.dtype, x.dtype)
        self.natives.note(x.dtype)
        if x.layout is not torch.strided:
            return x.to(self.device)
        if up is x.dtype and x.device.type == self.device.type:
            return x
        if not x.is_leaf:
            former = eager.view_base(x)
            if former is not None and former.dtype == x.dtype:
                base = self.value(former)
                offset = x.storage_offset() - former.storage_offset() + base.storage_offset()
                with torch.enable_grad():
                    return _read_as(x, base.as_strided(x.shape, x.stride(), offset))
            with torch.enable_grad():
                return x.to(self.device, up)
        result = self.viewed(x, up)
        result = torch.nn.Parameter(result, x.requires_grad) if isinstance(x, torch.nn.Parameter) else self.dressed(x, result)
        if x.grad is not None:
            self.done[id(x)] = result
            result.grad = self.value(x.grad)
        return result

    def dressed(self, x, result):
        """The result in the class of `x`, not for classes that hold other tensors, and with the attributes that it was
        given."""
        if type(x) is not torch.Tensor and not hasattr(type(x), "__tensor_flatten__"):
            result = result.as_subclass(type(x))
        torch.Tensor.requires_grad_(result, x.requires_grad)  # not the class's own
        self.done[id(x)] = result  # which the attributes may refer to
        own = object.__getattribute__(result, "__dict__")
        for name, item in object.__getattribute__(x, "__dict__").items():
            own[name] = self.value(item)
        return result

    def viewed(self, x, up):
        storage = x.untyped_storage()
        key = (eager.storage_key(storage), x.dtype)
        if key not in self.storages:
            self.kept.append(storage)
            whole = torch.empty(0, dtype=x.dtype, device=x.device)
            whole.set_(storage, 0, (storage.nbytes() // x.element_size(),))
            self.storages[key] = whole.to(self.device, up)
        return _read_as(x, self.storages[key].as_strided(x.shape, x.stride(), x.storage_offset()))


def _read_as(x, view):
    """The view of the same memory, whose numbers count as conjugated or negated where those of `x` do."""
    if x.is_conj() != view.is_conj():
        view = view.conj()
    return eager.negative_view(view) if x.is_neg() != view.is_neg() else view


class DtypesUp(TorchFunctionMode):
    """Maps the floating dtypes named in calls of torch: arguments, keywords, `.float()` and the like. While it is
    active, autocast casts nothing."""

    def __init__(self, precision, natives):
        super().__init__()
        self._up = _UP[precision]
        self._natives, self._kinds = natives
        _NominalAutocast().install()
        default = torch.get_default_dtype
        torch.get_default_dtype = lambda: self._natives.alone(default())

    def begin(self, number):
        """Call `number` of the program begins."""
        self._natives.begin(self._kinds[number])

    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        if drawing.draws(function):
            return drawing.draw(function, arguments, keywords, self._natives, self._up)
        if function in _WIDE:
            self._natives.note(_WIDE[function])
        named = _METHODS.get(function)
        if named is not None:
            self._natives.note(named)
        if named in self._up:
            function, arguments = torch.Tensor.to, (*arguments, named)
        halves = any(item in _HALF for item in (*arguments, *keywords.values()) if isinstance(item, torch.dtype))
        mapped = tuple(self._mapped(item) for item in arguments)
        result = function(*mapped, **{name: self._mapped(item) for name, item in keywords.items()})
        if isinstance(result, (torch.dtype, int, str)):
            return self._as_before(function, mapped, result)
        if drawing.is_floating(result) and not any(map(_has_type, (*arguments, *keywords.values()))):
            usual = self._natives.default.to_complex() if result.is_complex() else self._natives.default
            self._natives.note(result.dtype if any(map(_is_array, arguments)) else usual)
        # A conversion in the program makes a copy; after the mapping it may have nothing to convert and return its
        # operand.
        return result.clone() if halves and arguments and result is arguments[0] else result

    def _as_before(self, function, arguments, result):
        """What is said of a type, of the one before the cast."""
        if isinstance(result, torch.dtype):
            return self._natives.alone(result)
        if function not in _SAY_THE_TYPE or len(arguments) != 1:
            return result
        dtype = arguments[0].dtype
        before = self._natives.alone(dtype)
        if isinstance(result, str):
            return torch.empty(0, dtype=before, device=arguments[0].device).type() if before is not dtype else result
        return result * before.itemsize // dtype.itemsize

    def _mapped(self, item):
        if not isinstance(item, torch.dtype):
            return item
        self._natives.note(item)
        return self._up.get(item, item)


class _NominalAutocast:
    """Replaces torch's autocast switch: the program reads back what it sets, and nothing is cast. state/process.py
    restores torch's own functions between runs."""

    def __init__(self):
        self.enabled = {}

    def install(self):
        torch.set_autocast_enabled = self.set_enabled
        torch.is_autocast_enabled = self.is_enabled

    def set_enabled(self, *arguments):
        device, enabled = arguments if len(arguments) == 2 else ("cuda", arguments[0])
        self.enabled[device] = bool(enabled)

    def is_enabled(self, device="cuda"):
        return self.enabled.get(device, False)
