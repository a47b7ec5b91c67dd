"""What eager decides one way and nobody has promised, decided another way.

Three things: which of several equal elements an index names (an operator is asked again on its elements in another
order), what an in-place operator sees of an operand that shares memory with what it writes (the operand is copied
first, as every functional compiler does), and what entries of a written list that share memory see of one another (all
are computed from copies, then written in order).
"""

import torch

from ..compat import eager
from . import control_flow, exactness

_ATEN = torch.ops.aten
# Operators that give indices of elements chosen by their value: by bare name, the overload that takes a dimension.
_CHOOSE = {
    "argmax": _ATEN.argmax.default,
    "argmin": _ATEN.argmin.default,
    "kthvalue": _ATEN.kthvalue.default,
    "max": _ATEN.max.dim,
    "median": _ATEN.median.dim,
    "min": _ATEN.min.dim,
    "mode": _ATEN.mode.default,
    "nanmedian": _ATEN.nanmedian.dim,
    "sort": _ATEN.sort.default,
    "topk": _ATEN.topk.default,
}


class FreeChoices(eager.TorchDispatchMode):
    """Inside, free choices are made otherwise: backwards with seed 1, so that of two equals the other one is met, in a
    random order with others. It stands below autograd, like Noise."""

    supports_higher_order_operators = True

    def __init__(self, seed):
        eager.need(eager.NO_CONTROLS)  # not in the middle of the program, which may catch anything
        super().__init__()
        self._backwards = seed == 1
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))

    def __torch_dispatch__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        if kinds and any(kind not in (torch.Tensor, torch.nn.Parameter) for kind in kinds):
            return NotImplemented  # the subclass unwraps itself, and comes back with plain tensors
        if control_flow.is_control_flow(function):
            return control_flow.run(self, function, arguments, keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            arguments = _copied_operands(function, arguments)
            lists = _lists_that_overlap(function, arguments)
        if lists:
            return _written_at_the_end(function, arguments, keywords, lists)
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            _choose_again(function, arguments, keywords, result, self._order)
        return result

    def _order(self, count):
        if self._backwards:
            return torch.arange(count - 1, -1, -1)
        return torch.randperm(count, generator=self._generator)


def _copied_operands(function, arguments):
    """The arguments, operands that share memory with a written one copied; in lists, entry by entry."""
    schema = eager.schema_of(function)
    if not schema.is_mutable:
        return arguments
    paired = list(zip(schema.arguments, arguments))
    written = {_storage(item) for argument, value in paired if argument.is_write for item in _items(value)} - {None}

    def copied(item):
        return item.clone() if _storage(item) in written else item

    return tuple(value if argument.is_write else [copied(item) for item in value] if isinstance(value, (list, tuple))
                 else copied(value) for argument, value in paired)


def _items(value):
    return value if isinstance(value, (list, tuple)) else [value]


def _lists_that_overlap(function, arguments):
    """The numbers of the arguments that are written lists, when two entries of theirs share memory."""
    lists = [at for at, (argument, value) in enumerate(zip(eager.schema_of(function).arguments, arguments))
             if argument.is_write and isinstance(value, (list, tuple))]
    storages = [storage for at in lists for item in arguments[at] if (storage := _storage(item))]
    return lists if len(set(storages)) < len(storages) else []


def _written_at_the_end(function, arguments, keywords, lists):
    """Runs the operator on copies of these lists' entries, which it writes to the entries afterwards, in order."""
    copies = {at: [item.clone() for item in arguments[at]] for at in lists}
    result = function(*[copies.get(at, value) for at, value in enumerate(arguments)], **keywords)
    for at in lists:
        for item, copy in zip(arguments[at], copies[at]):
            item.copy_(copy)
    return result


def _choose_again(function, arguments, keywords, result, order):
    """Puts into the result's indices those that the operator finds in another order of elements. `order(n)`: a
    permutation of n."""
    name = exactness.bare_name(function)
    if name not in _CHOOSE:
        return
    named = {argument.name: item for argument, item in zip(eager.schema_of(function).arguments, arguments)}
    named.update(keywords)
    if named.pop("stable", False) or any(argument.is_write for argument in eager.schema_of(function).arguments):
        return
    indices = result if isinstance(result, torch.Tensor) else result[1] if len(result) > 1 else None
    elements = named.pop("self", None)
    if indices is None or indices.is_floating_point() or not _storage(elements) or elements.dim() == 0:
        return
    dim = named.get("dim", {"sort": -1, "topk": -1, "kthvalue": -1, "mode": -1}.get(name))
    if dim is None:
        if not name.startswith("arg"):
            return  # one value for all: no index
        elements, dim, named = elements.reshape(-1), 0, {}
    permutation = order(elements.shape[dim]).to(elements.device)
    again = _CHOOSE[name](elements.index_select(dim, permutation), **{**named, "dim": dim})
    found = again if isinstance(again, torch.Tensor) else again[1]
    indices.copy_(permutation[found].reshape(indices.shape))


def _storage(item):
    if not isinstance(item, torch.Tensor) or item.layout is not torch.strided:
        return None
    if item.is_meta or eager.is_transform_wrapper(item) or eager.is_zero_tensor(item):
        return None
    try:
        return item.untyped_storage().data_ptr() or None
    except RuntimeError:
        return None
