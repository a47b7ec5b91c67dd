"""Runs an Original once and keeps its calls of torch: outermost ones, in order, with whatever tensors they read."""

import torch
from torch.overrides import TorchFunctionMode

from harvest import CannotWrite, check, names, text, tree

from . import CannotImport, aten

WIDEST = 8  # results of one call that get names of their own


def spelt(name):
    """A method of two operands as it is written: with a sign where torch calls it for one, and by its own name where the sign
    that writes the first operand has no text of its own."""
    if name.startswith("__i") and name[3:-2] in ("add", "sub", "mul", "truediv"):
        return ("div" if name[3:-2] == "truediv" else name[3:-2]) + "_"
    dunder = "__truediv__" if name == "div" else f"__{name}__"
    return dunder if dunder in text.BINARY and name != "pow" else name


def tensors_in(nest):
    """The tensors of a nest, in order, those in classes of a model's own too."""
    if isinstance(nest, torch.Tensor):
        return [nest]
    if isinstance(nest, dict):
        parts = nest.values()
    elif isinstance(nest, (list, tuple)):
        parts = nest
    else:
        parts = getattr(nest, "__dict__", {}).values() if not callable(nest) else ()
    return [one for part in parts for one in tensors_in(part)]


class Encoder(tree.Encoder):
    """Keeps the elements of all tensors, as they are when they are first seen."""

    def __init__(self, written):
        super().__init__(written, all_written=False)

    def tensor(self, tensor):
        if id(tensor) not in self.places and tensor.grad_fn is not None and not tensor.is_leaf and self.tracing:
            raise CannotWrite("a tensor that was computed where it can't be seen")
        with torch.enable_grad():  # whether it asks for gradients is its own matter
            return super().tensor(tensor)

    tracing = False

    def _fill(self, storage, users):
        first = users[0][1].detach()
        low = min(tensor.storage_offset() for _, tensor in users)
        super()._fill(storage, users)
        low -= min(record["offset"] for record, _ in users)
        first = first.conj() if first.is_conj() else first
        length = text.length(storage)
        if length:
            storage["elements"] = first.as_strided((length,), (1,), low).clone()


class Recorder(TorchFunctionMode):
    def __init__(self, encoder, public):
        super().__init__()
        self.encoder = encoder
        self.public = public
        self.calls = []
        self.keeps = []
        self.failure = None
        self.digests = []  # of the encoder's tensors, as they were when they were first seen

    def look(self):
        self.encoder.snapshot()
        for tensor in self.encoder.live[len(self.digests):]:
            self.digests.append(check.digest(tensor))

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.Tensor.__iter__:
            func, args = torch.Tensor.unbind, (args[0], 0)
            return iter(self._call(func, args, kwargs))
        if self.failure or func is torch.device or names.is_question(func):
            return func(*args, **kwargs)
        return self._call(func, args, kwargs)

    def _call(self, func, args, kwargs):
        if self.failure:
            return func(*args, **kwargs)
        try:
            call = self._written(func, args, kwargs)
            self.look()
        except CannotWrite as failure:
            self.failure = failure
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        self.keeps.append((args, kwargs, result))  # no id is used again
        if call is not None:
            self.calls.append(call)
            self._bind(call, result)
        return result

    def _written(self, func, args, kwargs):
        if torch.is_autocast_enabled("cpu"):
            raise CannotWrite("calls under autocast")
        written = aten.public(func, args, kwargs, self.public)
        if written is aten.NOTHING:
            return None
        if written is None:
            form, name = names.of(func)
            plain = form == "method" and len(args) == 2 and not kwargs
            kwargs = {key: value for key, value in kwargs.items() if key != "inplace" or value}
            if form == "function":
                kwargs = {key: value for key, value in kwargs.items() if aten.USUAL.get(key, kwargs) != value}
            written = form, spelt(name) if plain else name, args, kwargs
        form, name, args, kwargs = written
        if names.uninitialised(name):
            raise CannotWrite(f"{name}, whose result is memory that nothing was written to")
        return {"form": form, "name": name, "args": [self.encoder.tree(one) for one in args],
                "kwargs": {key: self.encoder.tree(one) for key, one in kwargs.items()},
                "gradients": torch.is_grad_enabled()}

    def _bind(self, call, result):
        number = len(self.calls) - 1
        several = isinstance(result, (list, tuple)) and all(isinstance(one, torch.Tensor) for one in result)
        if several and 0 < len(result) <= WIDEST:
            call["results"] = len(result)
        self._known(result, number, [])

    def _known(self, value, call, path):
        if isinstance(value, torch.Tensor):
            self.encoder.known(value, {"is": "result", "call": call, "path": path})
        elif isinstance(value, (list, tuple)):
            for step, one in enumerate(value):
                self._known(one, call, path + [step])
        elif isinstance(value, dict):
            for key, one in value.items():
                self._known(one, call, path + [key])


class Recorded:
    """instance: what `flat` writes; live: the tensors that its arguments stand for; digests: of these, as they were."""

    def __init__(self, original, written, public):
        encoder = Encoder(written)
        recorder = Recorder(encoder, public)
        try:
            for one in tensors_in(original.args):
                encoder.tensor(one)
            recorder.look()
            encoder.tracing = True
            torch.manual_seed(0)
            with recorder:
                outputs = self._ran(original)
            if recorder.failure:
                raise recorder.failure
            result = self._result(encoder, outputs)
            recorder.look()
        except CannotWrite as failure:
            raise CannotImport(f"a straight line can't hold {failure}") from None
        whole = {"storages": encoder.storages, "tensors": encoder.tensors, "calls": recorder.calls, "result": result}
        self.instance, used, _ = text.pruned(whole)
        self.live = [encoder.live[at] for at in used]
        self.digests = [recorder.digests[at] for at in used]
        if not tensors_in(outputs):
            raise CannotImport("it returns nothing that holds a tensor")
        if not self.instance["calls"]:
            raise CannotImport("it calls nothing of torch that can be seen")

    @staticmethod
    def _ran(original):
        try:
            return original.run(*original.args)
        except (CannotImport, CannotWrite):
            raise
        except (Exception, SystemExit) as error:
            raise CannotImport(f"it can't be run: {check.short(error)}") from None

    @staticmethod
    def _result(encoder, outputs):
        try:
            return encoder.tree(outputs)
        except CannotWrite:  # a class of the model's own: its tensors
            return encoder.tree(tuple(tensors_in(outputs)))
