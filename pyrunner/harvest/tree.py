"""Live values as trees, tensors with their memory (see the package)."""

import torch

from . import CannotWrite

_WRITABLE = {name: getattr(torch, name) for name in (
    "float64", "float32", "float16", "bfloat16", "bool", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32",
    "uint64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")
    if hasattr(torch, name)}
_NAMES = {dtype: name for name, dtype in _WRITABLE.items()}
_WORDS = (torch.dtype, torch.memory_format, torch.layout)
_FRONT = 16  # elements in front of a tensor that are kept with it
_WIDEST = 1 << 16  # elements of memory that are kept where a tensor has few of them


class TooLarge(CannotWrite):
    pass


def storage_of(tensor):
    return tensor.untyped_storage()._cdata


def _extent(tensor):
    """Elements from the first to behind the last."""
    if tensor.numel() == 0:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))


def fault_of(tensor):
    """Why a tensor can't be written, in a few words; "" when it can."""
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        return f"a tensor of class {type(tensor).__name__}"
    if tensor.layout is not torch.strided:
        return "a sparse tensor" if tensor.layout is not torch._mkldnn else "an mkldnn tensor"
    if tensor.is_nested:
        return "a nested tensor"
    if tensor.device.type != "cpu":
        return f"a tensor on {tensor.device.type}"
    if tensor.is_quantized or tensor.dtype not in _NAMES:
        return f"a tensor of {tensor.dtype}"
    if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return "a tensor inside a function transform"
    if tensor.is_neg():
        return "a negative view"
    return ""


class Encoder:
    """Makes trees and takes tensors in. `written`: up to so many elements of a storage have their values written; larger
    ones are kept by range, or with `all_written` refused."""

    def __init__(self, written, all_written):
        self.written = written
        self.all_written = all_written
        self.tensors = []
        self.live = []  # the tensors themselves
        self.storages = []
        self.keeps = []  # live ones, so that no id is used again
        self.places = {}  # id(tensor): its tree
        self.memory = {}  # storage: its number
        self.fresh = {}  # storages that have no values yet: their tensors

    def tree(self, value):
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            finite = value == value and abs(value) != float("inf")
            return value if finite else {"is": "float", "text": repr(value)}
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if kind in _SIMPLE:
            return _SIMPLE[kind](self, value)
        if isinstance(value, _WORDS):
            return {"is": "name", "name": str(value)}
        if isinstance(value, tuple) and type(value).__module__ == "torch.return_types":
            return self._items("tuple", value)
        return self.other(value)

    def other(self, value):
        raise CannotWrite(f"an argument of class {type(value).__name__}")

    def _items(self, kind, values):
        return {"is": kind, "items": [self.tree(one) for one in values]}

    def tensor(self, tensor):
        known = self.places.get(id(tensor))
        if known is not None:
            return dict(known)
        if fault := fault_of(tensor):
            raise CannotWrite(fault)
        at = self.memory.setdefault(storage_of(tensor), len(self.storages))
        if at == len(self.storages):
            self.storages.append({"dtype": _NAMES[tensor.dtype]})
            self.fresh[at] = []
        elif at not in self.fresh:
            raise CannotWrite("an alias of an argument that was made on the way")
        if self.storages[at]["dtype"] != _NAMES[tensor.dtype]:
            raise CannotWrite("one memory in two dtypes")
        self.fresh[at].append((len(self.tensors), tensor))
        grad = tensor.requires_grad and torch.is_grad_enabled()
        self.tensors.append({"storage": at, "shape": list(tensor.shape), "strides": list(tensor.stride()),
                             "offset": tensor.storage_offset(), "requires_grad": grad, "leaf": tensor.is_leaf,
                             "conj": tensor.is_conj()})
        self.live.append(tensor)
        return self.known(tensor, {"is": "tensor", "at": len(self.tensors) - 1})

    def known(self, tensor, tree):
        self.keeps.append(tensor)
        self.places[id(tensor)] = tree
        return dict(tree)

    def snapshot(self):
        """Takes the elements of the tensors that came since the last one, as they are now."""
        for at, users in self.fresh.items():
            self._fill(self.storages[at], [(self.tensors[number], tensor) for number, tensor in users])
        self.fresh = {}

    def _fill(self, storage, users):
        low = min(tensor.storage_offset() for _, tensor in users)
        low = 0 if low <= _FRONT else low
        high = max(tensor.storage_offset() + _extent(tensor) for _, tensor in users)
        for record, _ in users:
            record["offset"] -= low
        tensor = users[0][1].detach()
        tensor = tensor.conj() if tensor.is_conj() else tensor
        if high - low > self.written:
            if self.all_written:
                raise TooLarge("only large samples")
            if high - low > max(_WIDEST, 4 * max(one.numel() for _, one in users)):
                raise CannotWrite("a small part of a large tensor")
        elements = tensor.as_strided((max(high - low, 0),), (1,), low) if high > low else tensor.new_empty(0)
        if high - low <= self.written:
            storage["values"] = _values(elements)
        else:
            storage |= {"length": high - low} | _range(elements)


def _values(elements):
    if elements.is_complex():
        return torch.view_as_real(elements).tolist()
    return (elements.float() if elements.dtype.itemsize == 1 and elements.is_floating_point() else elements).tolist()


def _range(elements):
    if elements.is_complex():
        elements = torch.view_as_real(elements)
    if elements.is_floating_point():
        elements = elements[torch.isfinite(elements)].double()
        if elements.numel() == 0:
            return {"low": 0.0, "high": 0.0}
    elif elements.dtype in (torch.uint16, torch.uint32, torch.uint64):
        elements = elements.long()
    return {"low": elements.min().item(), "high": elements.max().item()}


def _complex(_, value):
    return {"is": "complex", "real": repr(value.real), "imag": repr(value.imag)}


def _device(_, value):
    if value.type != "cpu":
        raise CannotWrite(f"the device {value}")
    return {"is": "device", "name": str(value)}


def _dict(encoder, value):
    return {"is": "dict", "items": [[encoder.tree(key), encoder.tree(item)] for key, item in value.items()]}


_SIMPLE = {
    tuple: lambda encoder, value: encoder._items("tuple", value),
    list: lambda encoder, value: encoder._items("list", value),
    torch.Size: lambda encoder, value: encoder._items("size", value),
    slice: lambda encoder, value: encoder._items("slice", (value.start, value.stop, value.step)),
    range: lambda encoder, value: encoder._items("range", (value.start, value.stop, value.step)),
    dict: _dict,
    complex: _complex,
    type(...): lambda encoder, value: {"is": "ellipsis"},
    torch.device: _device,
}


def names_of_dtypes():
    """dtype: the name that the texts use."""
    return _NAMES
