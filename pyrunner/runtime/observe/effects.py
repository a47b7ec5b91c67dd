"""What is written after a call was recorded: by a hook in backward, and by later calls."""

from . import hooks
from .elements import elements, version_of


class OfBackward:
    """What a program's hook leaves. In which order the hooks of different tensors run is not promised, so that only programs
    with one hook are looked at."""

    def __init__(self, program):
        self.looks = hooks.registers_one(program["source"], program["entry"])

    def recorded(self, gradients, parts):
        """The Value of {name: value()} after backward; None for other programs, and where a leaf got no gradient: a compiled
        graph calls the hooks of such leaves all the same. `gradients`: the Value of what the leaves got."""
        if not self.looks or any(not item for item in gradients["items"]):
            return None
        return {"kind": "mapping", "type": "dict", "labels": list(parts), "items": [value() for value in parts.values()]}


class Afterwards:
    """Which arguments and outputs of earlier calls were written to until the end of the run.

    Of a compiled run only memory counts that the program holds nowhere else, in its state or in other arguments, and only
    what is something else then: that eager writes to, too, excuses it, and a copy may stand there for what shares memory.
    """

    def __init__(self, observer, compiled):
        self.observer = observer
        self.compiled = compiled
        self.several = False  # whether the run has more than one call
        self.calls = []

    def begin(self, record):
        """A call, with its record."""
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
        for name, kept in call.kept.items():
            held = self._held_beside(call, name) if self.compiled else ()
            for place, (index, (alias, version)) in enumerate(kept.items()):
                former = self.observer.tensors[index]
                if former["storage"] in held:
                    continue
                if _bytes(alias, former) != former["bytes"] or not self.compiled and version_of(alias) != version:
                    yield f"{name}, tensor {place}"

    def _held_beside(self, call, name):
        """The storages of states and of other arguments than those that `name` means."""
        held = {one for other in self.calls for one in other.storages.get("state", ())}
        held.update(one for other in self.calls if other is not call for one in other.storages.get("inputs", ()))
        return held | call.storages.get("inputs", set()) if name == "output" else held


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
