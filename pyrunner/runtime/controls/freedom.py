"""Makes choices that eager makes one way, and that no documentation specifies, in another way.

There are eight of them: which of several equal elements an index refers to (equal_elements.py); what an operator reads
from an operand that shares memory with one that it writes (the operand is copied first, as every functionalizing
compiler does); what written operands that share memory, entries of a list or the running statistics of a batch norm,
read of one another (all are computed from copies, then written in order); what a write leaves in a tensor whose own
elements share memory (overlapping.py); what fresh memory contains, and in which order random numbers are written to it
(memory_order.py); and two of single numbers (numbers.py): the sign of a zero or NaN, and the integer that a number out
of its range becomes.
"""

import functools

import torch

from ..compat import eager
from . import equal_elements, exactness, memory_order, mode, numbers, overlapping, results


class FreeChoices(mode.Mode):
    """While active, free choices are made in another way: with seed 1 the elements are reversed, so that the other one
    of two equal elements is found, and all numbers are chosen again; with other seeds they are in a random order, and each
    number is chosen again or not by chance. Free signs are negative with seed 1, positive with seed 2."""

    def __init__(self, seed, calls=()):
        """`calls`: the arguments of the calls that follow."""
        eager.need(eager.NO_CONTROLS)  # raised here, because in the middle of the program an `except` could catch it
        super().__init__()
        self._seed = seed
        self._backwards = seed == 1
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))
        with eager.DisableTorchFunction(), eager.below_autograd():
            self._arguments = overlapping.Arguments(calls)

    def run(self, function, arguments, keywords):
        given = arguments
        with eager.DisableTorchFunction(), eager.below_autograd():
            half_written = self._arguments.before(function, given, keywords)
            arguments = _copied_operands(function, arguments, keywords)
            arguments = numbers.convert_operand(function, arguments, keywords, self._drawn)
            free_zeros = numbers.has_free_zeros(function, arguments)
        result = self._written(function, arguments, keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            equal_elements.choose_again(function, arguments, keywords, result, self._keys)
            numbers.choose_again(function, arguments, keywords, result, free_zeros, self._negative, self._drawn)
            memory_order.choose_again(function, result, self._seed)
            self._arguments.after(half_written, self._drawn)
            self._arguments.note(function, given, keywords, result)
        return result

    def _written(self, function, arguments, keywords):
        with eager.DisableTorchFunction(), eager.below_autograd():
            shared = _writes_that_overlap(function, arguments)
            targets = overlapping.targets(function, arguments, keywords)
        if shared:
            return _written_at_the_end(function, arguments, keywords, shared, self._rewrite)
        if targets:
            return overlapping.run(function, arguments, keywords, targets, self._order, self._drawn)
        return function(*arguments, **keywords)

    def _rewrite(self, item, copy):
        overlapping.write(item, copy, self._order, self._drawn)

    # Both signs for all, so that one of them is another than eager's after any number of operators.
    def _negative(self, tensor):
        if self._seed <= 2:
            return torch.full_like(tensor, self._seed == 1, dtype=torch.bool)
        return self._drawn(tensor)

    def _drawn(self, tensor):
        if self._backwards:
            return torch.ones_like(tensor, dtype=torch.bool)
        return torch.randint(0, 2, tensor.shape, generator=self._generator, dtype=torch.bool).to(tensor.device)

    def _keys(self, elements, dim, _):
        """By which one of equal elements is taken: an order of positions, the same in all rows or, with odd seeds but 1, one of
        its own in each."""
        length, last = elements.shape[dim], elements.movedim(dim, -1)
        if self._backwards or self._seed % 2 == 0:
            keys = self._order(length).expand(last.shape)
        else:
            keys = torch.rand(last.shape, generator=self._generator, dtype=torch.float64).argsort(-1)
        return keys.to(elements.device).movedim(-1, dim)

    def _order(self, count):
        if self._backwards:
            return torch.arange(count - 1, -1, -1)
        return torch.randperm(count, generator=self._generator)


def _copied_operands(function, arguments, keywords):
    """The arguments, with copies of the operands that share memory with a written one; in lists, entry by entry."""
    writes = _writes(function)
    if not any(writes) or not exactness.reads_elements(function):
        return arguments
    paired = list(zip(writes, arguments))
    targets = [value for writes_it, value in paired if writes_it] + results.written(function, arguments, keywords)
    written = {_storage(item) for value in targets for item in _items(value)} - {None}

    def copied(item):
        return item.clone() if _storage(item) in written else item

    return tuple(value if writes_it else [copied(item) for item in value] if isinstance(value, (list, tuple))
                 else copied(value) for writes_it, value in paired)


@functools.cache
def _writes(function):
    """Of each parameter whether the operator writes it."""
    written = exactness.written_names(function)
    return [one.name in written for one in eager.schema_of(function).arguments]


def _items(value):
    return value if isinstance(value, (list, tuple)) else [value]


def _writes_that_overlap(function, arguments):
    """The positions of the arguments that are written lists or statistics, if two of these tensors share memory."""
    unsaid = exactness.writes_statistics(function)
    written = [at for at, (writes_it, value) in enumerate(zip(_writes(function), arguments))
               if writes_it and (unsaid or isinstance(value, (list, tuple)))]
    storages = [storage for at in written for item in _items(arguments[at]) if (storage := _storage(item))]
    return written if len(set(storages)) < len(storages) else []


def _written_at_the_end(function, arguments, keywords, written, rewrite):
    """Runs the operator on copies of the tensors at these positions, then writes the copies back in order.
    `rewrite(item, copy)`: called for each."""
    copies = {at: [item.clone() for item in _items(arguments[at])] for at in written}
    given = {at: copied if isinstance(arguments[at], (list, tuple)) else copied[0] for at, copied in copies.items()}
    result = function(*[given.get(at, value) for at, value in enumerate(arguments)], **keywords)
    for at in written:
        for item, copy in zip(_items(arguments[at]), copies[at]):
            item.copy_(copy)
            rewrite(item, copy)
    return result


def _storage(item):
    return results.address(item) if isinstance(item, torch.Tensor) and item.layout is torch.strided else None
