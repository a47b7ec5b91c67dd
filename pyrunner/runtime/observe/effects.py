"""What is written after a call was recorded: by backward (hooks, backward functions of the program's), and by later calls.

Both are recorded only where something changed: nothing that a compiler may do otherwise is read a second time.
"""

import torch

from .elements import elements

_COMPARED = ("dtype", "layout", "shape", "bytes", "unreadable", "requires_grad")
_ORDERED = ("sequence", "mapping")


class OfBackward:
    """What backward changes. In which order the hooks of different tensors run is not promised: what they add to lists and
    dicts is sorted, in the records of later calls too."""

    def __init__(self, observer):
        self.observer = observer
        self.unordered = set()

    def settled(self, state):
        """The Value of the state, with what backward has added to in an order that says nothing."""
        if not self.unordered:
            return state
        pairs = zip(state["labels"], state["items"])
        return {**state, "items": [self._sorted(None, item) if label in self.unordered else item for label, item in pairs]}

    def changed(self, records, record_again):
        """The parts of {name: Value} of `record_again()` that are not what `records` has, as a Value; None if there are
        none."""
        mark = len(self.observer.tensors)
        with self.observer.again():
            now = record_again()
        parts = {name: value for name, value in now.items() if not self._same(records[name], value)}
        if not parts:
            del self.observer.tensors[mark:]
            return None
        items = [self._part(name, records[name], value) for name, value in parts.items()]
        return {"kind": "mapping", "type": "dict", "labels": list(parts), "items": items}

    def _part(self, name, before, now):
        """Of the state, the entries that changed."""
        if name != "state":
            return self._sorted(before, now)
        former = dict(zip(before["labels"], before["items"]))
        changed = {
            label: item for label, item in zip(now["labels"], now["items"])
            if label not in former or not self._same(former[label], item)
        }
        items = [self._sorted(None if label in self.unordered else former.get(label), item) for label, item in changed.items()]
        self.unordered.update(changed)
        return {**now, "labels": list(changed), "items": items}

    def _sorted(self, before, now):
        items = now.get("items")
        if not items:
            return now
        alike = before is not None and (before.get("kind"), before.get("type")) == (now["kind"], now["type"])
        former = before.get("items", []) if alike else []
        items = [self._sorted(former[i] if i < len(former) else None, item) for i, item in enumerate(items)]
        if now["kind"] not in _ORDERED or now["type"] == "tuple" or len(items) <= len(former):
            return {**now, "items": items}
        labels, first = now.get("labels", [""] * len(items)), len(former)
        added = sorted(zip(labels[first:], items[first:]), key=lambda pair: (pair[0], self._key(pair[1])))
        items = items[:first] + [item for _, item in added]
        if "labels" in now:
            return {**now, "items": items, "labels": labels[:first] + [label for label, _ in added]}
        return {**now, "items": items}

    def _key(self, value):
        """Numbers and tensors by their size, which rounding hardly moves."""
        kind, size, text = value.get("kind", ""), 0.0, value.get("text", "")
        if kind == "tensor":
            size, text = self._norm(self.observer.tensors[value["index"]]), ""
        elif kind in ("int", "float"):
            size, text = float.fromhex(text) if kind == "float" else float(len(text)), "" if kind == "float" else text
        return kind, size if size == size else -1.0, text, [self._key(item) for item in value.get("items", ())]

    @staticmethod
    def _norm(record):
        dtype = getattr(torch, record["dtype"], None)
        if dtype is None or not dtype.is_floating_point or not record.get("bytes"):
            return 0.0
        return torch.frombuffer(bytearray(record["bytes"]), dtype=dtype).double().norm().item()

    def _same(self, one, other):
        if one.get("kind") == "tensor" == other.get("kind"):
            tensors = self.observer.tensors
            left, right = tensors[one["index"]], tensors[other["index"]]
            return left is right or all(left.get(key) == right.get(key) for key in _COMPARED)
        if any(one.get(key) != other.get(key) for key in ("kind", "type", "text", "labels", "index")):
            return False
        if one.get("type", "").startswith("weakref."):  # backward frees its graph, and what that alone holds
            return True
        inner = one.get("items", ()), other.get("items", ())
        if one.get("kind") == "set":  # in the order of what stands for their members here, indices of tensors for example
            return sorted(map(self._exactly, inner[0])) == sorted(map(self._exactly, inner[1]))
        return len(inner[0]) == len(inner[1]) and all(map(self._same, *inner))

    def _exactly(self, value):
        """A text that is the same for values that are the same."""
        own = [value.get(key) for key in ("kind", "type", "text", "labels")]
        if value.get("kind") == "tensor":
            own += map(self.observer.tensors[value["index"]].get, _COMPARED)
        return repr((own, [self._exactly(item) for item in value.get("items", ())]))


class Afterwards:
    """Which arguments and outputs of earlier calls are something else at the end of the run.

    Only memory counts that the program holds nowhere else, in its state or in other arguments: a copy may stand for what
    shares memory with these, and then keeps what the other loses.
    """

    def __init__(self, observer):
        self.observer = observer
        self.calls = []

    def begin(self):
        self.calls.append(_Call())

    def recorded(self, name, record):
        """The Value that `record()` gives of the present call's "output", "inputs" or "state"."""
        first = len(self.observer.tensors)
        self.observer.kept = None if name == "state" else {}
        try:
            return record()
        finally:
            call = self.calls[-1]
            call.storages[name] = {one["storage"] for one in self.observer.tensors[first:]}
            call.kept[name], self.observer.kept = self.observer.kept or {}, None

    def values(self):
        """{number of a call: Value} of what was written to after the call."""
        found = {}
        for number, call in enumerate(self.calls[:-1]):
            parts = dict(self._written(number, call))
            if parts:
                found[number] = {"kind": "mapping", "type": "dict", "labels": list(parts), "items": list(parts.values())}
        return found

    def _written(self, number, call):
        held = {one for other in self.calls for one in other.storages.get("state", ())}
        held.update(one for other in self.calls if other is not call for one in other.storages.get("inputs", ()))
        for name, kept in call.kept.items():
            besides = call.storages.get("inputs", set()) if name == "output" else set()
            for place, (index, alias) in enumerate(kept.items()):
                former = self.observer.tensors[index]
                if former["storage"] not in held | besides and _bytes(alias, former) != former["bytes"]:
                    value = {"kind": "tensor", "type": "torch.Tensor", "index": self.observer.tensor(alias)}
                    yield f"{name}, tensor {place}", value


class _Call:
    def __init__(self):
        self.storages = {}
        self.kept = {}


def _bytes(alias, former):
    try:
        return elements(alias)
    except Exception:  # its memory was given away
        return former["bytes"]
