"""Writes through tensors in which several elements share a place in memory, in another order of their elements.

What such a write leaves depends on the order: which element is written last, and whether an element is read before or
after another is written to the same place. Therefore the operator is called on copies, whose elements don't share
memory, and at each place one of the elements that share it is chosen: one that differs from what eager leaves there, if
there is one. Where all have eager's value, nothing changes.

A compiler takes the elements of an argument for separate ones. A write through a view that covers some of the elements
that share a place is seen by the others in eager alone. Therefore what was there before may stay. This is so of arguments
that share memory with no other one: compilers make those that do again from what they share. Such an argument may also be written
while what is written is still computed from it, as an operator in place does. Then what was there may stay, too.
"""

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..compat import eager
from . import exactness, results, values


# Larger tensors are not looked at.
_MOST = 1 << 22


def overlaps_itself(tensor):
    """Whether two elements share a place. False for tensors without memory of their own."""
    if tensor.layout is not torch.strided or not results.has_memory(tensor) or tensor.is_contiguous():
        return False
    if max(tensor.numel(), _extent(tensor)) > _MOST:
        return False
    reach = 0
    for size, stride in sorted(zip(tensor.shape, tensor.stride()), key=lambda one: one[1]):
        if size > 1:
            if stride <= reach:
                return int(_counts(tensor).max()) > 1
            reach += (size - 1) * stride
    return False


def _extent(tensor):
    """How many places there are from the first element to the last."""
    return 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0


def _row(tensor):
    return tensor.as_strided((_extent(tensor),), (1,), tensor.storage_offset())


def _places(tensor):
    """Of each element, in the order of the elements, counted from the first one."""
    return torch.arange(_extent(tensor)).as_strided(tensor.shape, tensor.stride()).reshape(-1)


def _counts(tensor):
    """How many elements share each place."""
    return torch.bincount(_places(tensor), minlength=_extent(tensor))


def targets(function, arguments, keywords):
    """The tensors that overlap themselves and that the operator writes elements to."""
    return [item for item in _written(function, arguments, keywords) if overlaps_itself(item)]


def _written(function, arguments, keywords):
    if not eager.schema_of(function).name.startswith("aten::"):  # code of the program's, which runs once
        return []
    writes_elements = exactness.reads_elements(function) and torch.Tag.inplace_view not in function.tags
    return results.written(function, arguments, keywords) if writes_elements else []


def run(function, arguments, keywords, found, order, drawn):
    """Calls the operator, and writes to `found`, its targets, what they get if their elements don't share memory.
    `order(n)`: a permutation of n; `drawn(tensor)`: for each of its elements whether it is written so."""
    copies = _computed(function, arguments, keywords)
    result = function(*arguments, **keywords)
    with eager.DisableTorchFunction(), eager.below_autograd():
        for item in found:
            copy = copies.get(id(item))
            if copy is not None and copy.shape == item.shape:
                write(item, copy, order, drawn)
    return result


def _computed(function, arguments, keywords):
    """By the id of each written tensor a copy of it that the operator has written to."""
    copies = {id(item): item.clone() for item in _written(function, arguments, keywords)}

    def given(item):
        return [given(part) for part in item] if isinstance(item, (list, tuple)) else copies.get(id(item), item)

    generator = keywords.get("generator") or torch.default_generator
    state = generator.get_state() if torch.Tag.nondeterministic_seeded in function.tags else None
    try:
        function(*map(given, arguments), **{name: given(item) for name, item in keywords.items()})
    except Exception:  # of which the operator itself will say what is wrong
        return {}
    finally:
        if state is not None:
            generator.set_state(state)
    return copies


def write(target, elements, order, drawn):
    """Writes the elements, of the target's shape, in another order than eager has. For `order` and `drawn` see run()."""
    if not overlaps_itself(target):
        return
    places, count = _places(target), target.numel()
    ranks = torch.empty(count, dtype=torch.int64)
    ranks[order(count)] = torch.arange(count)
    others = (elements != target).reshape(-1).cpu()
    chosen = _highest(places, ranks + count * others)
    row = _row(target)
    touched = (chosen >= 0).logical_and_(drawn(row).cpu())
    row[touched.to(target.device)] = elements.reshape(-1)[chosen[touched]]


def _highest(places, ranks):
    """At each place the element with the highest rank of those that share it, or -1. No two ranks are equal."""
    size = int(places.max()) + 1
    best = torch.full((size,), -1).scatter_reduce(0, places, ranks, "amax")
    with_rank = torch.full((int(ranks.max()) + 2,), -1)  # the last entry is that of the rank -1
    with_rank[ranks] = torch.arange(len(ranks))
    return with_rank[best]


class Arguments:
    """The arguments of calls that overlap themselves and share memory with no other argument."""

    def __init__(self, calls):
        self._alone = {}  # by the address of their memory
        self._computed = {}  # the storages of what was computed from them, by their keys
        for call in calls:
            given = [item for item in values.tensors(call) if type(item) in eager.PLAIN_TENSORS]
            for item in filter(overlaps_itself, given):
                if not any(_is_beside(item, other) for other in given):
                    self._alone.setdefault(results.address(item), []).append((item, _counts(item)))

    def before(self, function, arguments, keywords):
        """What may stay after the operator, for after(): to be asked before it writes."""
        if not self._alone:
            return []
        written = _written(function, arguments, keywords)
        operands = [item for item in results.tensors([*arguments, *keywords.values()]) if not any(item is one for one in written)]
        from_itself = any(map(self._is_computed, operands))
        return [found for item in written
                for whole, counts in self._alone.get(results.address(item), ())
                if (found := _half_written(item, whole, counts, from_itself)) is not None]

    def note(self, function, arguments, keywords, result):
        """To be told of each operator after it ran."""
        if self._alone and any(map(self._is_computed, results.tensors([*arguments, *keywords.values()]))):
            for item in filter(results.has_memory, results.made_or_written(function, arguments, keywords, result)):
                storage = item.untyped_storage()
                self._computed[eager.storage_key(storage)] = StorageWeakRef(storage)

    def _is_computed(self, item):
        if not results.has_memory(item):
            return False
        weak = self._computed.get(eager.storage_key(item.untyped_storage()))
        return results.address(item) in self._alone or weak is not None and not weak.expired()

    @staticmethod
    def after(found, drawn):
        """`drawn(tensor)`: for each of its elements whether it stays."""
        for row, places, old in found:
            staying = drawn(old)
            row[places[staying]] = old[staying]


def _is_beside(item, other):
    """Whether another tensor, of other elements, reaches into the item's memory."""
    if results.address(item) != results.address(other) or _place(item) == _place(other):
        return False
    start, end = (one.storage_offset() * one.element_size() for one in (item, other))
    return start < end + _extent(other) * other.element_size() and end < start + _extent(item) * item.element_size()


def _place(tensor):
    return tensor.shape, tensor.stride(), tensor.storage_offset(), tensor.dtype


def _half_written(item, whole, counts, from_itself):
    """The whole's places of which the item covers some elements and not all, and what is there; with `from_itself` all
    places that elements share."""
    if item.element_size() != whole.element_size() or item.numel() == 0 or item.layout is not torch.strided:
        return None
    places = _places(item) + item.storage_offset() - whole.storage_offset()
    inside = places[(places >= 0).logical_and_(places < len(counts))]
    covered = torch.bincount(inside, minlength=len(counts))
    free = counts > 1 if from_itself else covered < counts
    places = free.logical_and_(covered > 0).nonzero().reshape(-1).to(whole.device)
    row = _row(whole).view(item.dtype)
    return (row, places, row[places]) if len(places) else None
