"""What is written after a call was recorded: by backward (hooks, backward functions of the program's), and by later calls.

"""

from . import hooks
from .elements import elements

_COMPARED = ("dtype", "layout", "shape", "bytes", "unreadable", "requires_grad")


class OfBackward:
    """What a program's own code does in backward: hooks, backward functions.

    With one hook, what it leaves is recorded. With more, in which order those of different tensors run is not promised: only
    how many values each entry of the state has counts, in the records of later calls too.
    """

    def __init__(self, observer, source):
        self.observer = observer
        self.sites = hooks.sites(source)
        self.unordered = set()

    def settled(self, state):
        """The Value of the state, without what has an order that says nothing."""
        if not self.unordered:
            return state
        pairs = zip(state["labels"], state["items"])
        return {**state, "items": [_size(item) if label in self.unordered else item for label, item in pairs]}

    def recorded(self, record, record_again):
        """(label, Value) of what is there after backward; None for a program without code that runs in it. `record` has the
        Values from before, `record_again()` gives those of "inputs" and "state" anew."""
        if not self.sites:
            return None
        now = record_again()
        if self.sites == 1:
            return "after backward", {"kind": "mapping", "type": "dict", "labels": list(now), "items": list(now.values())}
        before = dict(zip(record["state"]["labels"], record["state"]["items"]))
        labels, items = now["state"]["labels"], now["state"]["items"]
        self.unordered.update(label for label, item in zip(labels, items)
                              if label not in before or not self._same(before[label], item))
        return "sizes after backward", {**now["state"], "items": list(map(_size, items))}

    def _same(self, one, other):
        if one.get("kind") == "tensor" == other.get("kind"):
            left, right = self.observer.tensors[one["index"]], self.observer.tensors[other["index"]]
            return all(left.get(key) == right.get(key) for key in _COMPARED)
        if any(one.get(key) != other.get(key) for key in ("kind", "type", "text", "labels")):
            return False
        inner = one.get("items", ()), other.get("items", ())
        return len(inner[0]) == len(inner[1]) and all(map(self._same, *inner))


def _size(value):
    """How many values there are in one, itself included; weak references, which backward ends, count alike."""
    return {"kind": "int", "type": "int", "text": str(_count(value))}


def _count(value):
    if value.get("type", "").startswith("weakref."):
        return 1
    return 1 + sum(map(_count, value.get("items", ())))


class Afterwards:
    """Which arguments and outputs of earlier calls are something else at the end of the run.

    Only memory counts that the program holds nowhere else, in its state or in other arguments: a copy may stand for what
    shares memory with these, and then keeps what the other loses.
    """

    def __init__(self, observer):
        self.observer = observer
        self.calls = []
        self.several = False

    def begin(self, record, several):
        """A call, with its record; `several`: whether the run has more than one."""
        self.several = several
        self.calls.append(_Call(record))

    def recorded(self, name, record):
        """The Value that `record()` gives of the present call's "output", "inputs" or "state"."""
        first = len(self.observer.tensors)
        self.observer.kept = {} if self.several and name != "state" else None
        try:
            return record()
        finally:
            call = self.calls[-1]
            call.storages[name] = {one["storage"] for one in self.observer.tensors[first:]}
            call.kept[name], self.observer.kept = self.observer.kept or {}, None

    def end(self):
        """Adds to each call's record which of its arguments and outputs were written to after it."""
        for call in self.calls:
            call.record["overwritten"] = list(self._written(call))

    def _written(self, call):
        held = {one for other in self.calls for one in other.storages.get("state", ())}
        held.update(one for other in self.calls if other is not call for one in other.storages.get("inputs", ()))
        for name, kept in call.kept.items():
            besides = call.storages.get("inputs", set()) if name == "output" else set()
            for place, (index, alias) in enumerate(kept.items()):
                former = self.observer.tensors[index]
                if former["storage"] not in held | besides and _bytes(alias, former) != former["bytes"]:
                    yield f"{name}, tensor {place}"


class _Call:
    def __init__(self, record):
        self.record = record
        self.storages = {}
        self.kept = {}


def _bytes(alias, former):
    try:
        if not _has_its_memory(alias):
            return former["bytes"]
        return elements(alias)
    except Exception:  # its memory was given away
        return former["bytes"]


def _has_its_memory(x):
    """Whether the storage still reaches to the last element: a program may have made it smaller."""
    last = x.storage_offset() + sum((length - 1) * step for length, step in zip(x.shape, x.stride()))
    return (last + 1) * x.element_size() <= x.untyped_storage().nbytes()
