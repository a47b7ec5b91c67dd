"""Values and tensors as plain records: core/observation.h, Value and TensorRecord.

Recording never changes a value: iterators are recorded by type only (execute.py draws from them at the very end),
identities are tracked by weak references, torch's function modes are off meanwhile, and tensor subclasses are read
without their own dispatch. walk.py builds the tree of a value.
"""

import weakref

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..compat import eager
from ..text import safe_text
from . import leaves
from .elements import elements, version_of
from .walk import Walk

_MOST_KEPT = 1 << 24  # bytes of a tensor


class Observer:
    """The records of one run; object identities and storages are numbered across the whole run."""

    def __init__(self, module_name):
        self.tensors = []
        self.module = module_name
        self._identities = {}
        self._numbers = 0
        self._versions = {}
        self._storages = {}
        self._storage_references = []
        self._classes = {}
        self.kept = None  # where wanted, aliases of what is recorded with their versions, by index: effects.py

    def value(self, root, iterators=None):
        """The Value of any object. Iterators in it are appended to `iterators`."""
        with eager.DisableTorchFunction(), torch.no_grad():
            return Walk(self, iterators).node(root, 0)

    def state(self, held):
        """The Value of what a program holds (held.py), with the data of classes that only its objects lead to."""
        self._classes = {}
        with eager.DisableTorchFunction(), torch.no_grad():
            walk = Walk(self, None)
            record = walk.node(held.state(), 0)
            if self._classes:
                walk.further(record, held.of_classes(list(self._classes.values())))
            return record

    def note_class(self, kind):
        """Remembers a class of the program that a function has made: no global need name it."""
        if isinstance(kind, type) and kind.__module__ == self.module and "<locals>" in kind.__qualname__:
            self._classes[id(kind)] = kind

    def draw(self, iterator, most, within, drawn):
        """A Value of kind iterator with up to `most` items drawn from it, which are added to `drawn`. `within(function, …)`
        calls the program's code in the precision of the run."""
        record = {"kind": "iterator", "type": self.type_name(type(iterator)), "items": [], "index": 1}
        for _ in range(most):
            try:
                item = within(next, iterator)
            except StopIteration:
                record["index"] = 0
                break
            except BaseException as error:
                record["items"].append(
                    {"kind": "opaque", "type": self.type_name(type(error)), "text": "raised by the iterator"}
                )
                record["index"] = 0
                break
            drawn.append(item)
            record["items"].append(self.value(item))
        return record

    def type_name(self, kind):
        module = getattr(kind, "__module__", "builtins")
        if module == self.module:
            return "program." + kind.__qualname__
        return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"

    def identity(self, thing):
        known = self._identities.get(id(thing))
        if known is not None and known[0]() is thing:
            return known[1]
        self._numbers += 1
        self._identities[id(thing)] = (weakref.ref(thing), self._numbers)
        return self._numbers

    def begin(self, arguments):
        """Notes the versions of the tensors among these arguments, of which a record then has what has been added
        since."""
        with eager.DisableTorchFunction():
            for x in leaves.tensors_in(arguments):
                if self._version_before(x) is None:
                    self._versions[id(x)] = (weakref.ref(x), version_of(x))

    def _version_before(self, tensor):
        known = self._versions.get(id(tensor))
        return known[1] if known is not None and known[0]() is tensor else None

    def _written(self, tensor):
        return version_of(tensor) - (self._version_before(tensor) or 0)

    def storage(self, tensor):
        try:
            reference = StorageWeakRef(tensor.untyped_storage())
        except Exception:  # layouts without a storage
            return 0
        if reference.cdata not in self._storages:
            self._storages[reference.cdata] = len(self._storages) + 1
            self._storage_references.append(reference)  # otherwise the address could be reused
        return self._storages[reference.cdata]

    def tensor(self, tensor, keep=True):
        """Records the present state of a tensor without members that have their default; returns its index in
        `tensors`."""
        record = self._record(tensor)
        self.tensors.append(record)
        index = len(self.tensors) - 1
        if keep and self.kept is not None and type(tensor) in eager.PLAIN_TENSORS and 0 < len(record.get("bytes", "")) < _MOST_KEPT:
            if tensor.device.type == "cpu":  # a GPU's graphs of kernels write their outputs anew in each call, by design
                self.kept[index] = (tensor.detach(), version_of(tensor))
        return index

    def _record(self, tensor):
        record = {
            "identity": self.identity(tensor),
            "storage": self.storage(tensor),
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "layout": str(tensor.layout).removeprefix("torch."),
            "device": str(tensor.device),
            "version": self._written(tensor),
        }
        if tensor.requires_grad:
            record["requires_grad"] = True
        if not tensor.is_leaf:
            record["is_leaf"] = False
        if tensor.grad_fn is not None:
            record["has_grad_fn"] = True
        if tensor.is_conj():
            record["conj"] = True
        if tensor.is_neg():
            record["neg"] = True
        try:
            record["shape"] = [int(size) for size in tensor.shape]
            if tensor.layout is torch.strided:
                record["strides"] = [int(stride) for stride in tensor.stride()]
                record["offset"] = int(tensor.storage_offset())
                record["bytes"] = elements(tensor)
            else:
                record["unreadable"] = f"layout {tensor.layout}"
        except Exception as error:
            record["unreadable"] = f"{type(error).__name__}: {safe_text(error)}"
        return record
