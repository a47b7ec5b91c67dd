"""Which of several equal elements an index names: eager names one, and no documentation says which one."""

import torch

from ..compat import eager
from . import exactness, mode, results

_SELECT = frozenset("argmax argmin kthvalue max median min mode nanmedian".split())
_SORT = {"sort": ("descending", False), "topk": ("largest", True)}  # the parameter that says the direction, its default
_LAST_DIMENSION = frozenset("kthvalue mode sort topk".split())  # they take it if none is said
_WIDENED = (torch.uint16, torch.uint32)  # torch can sort them, and not pick their elements
# So many runs list what a place may hold: oracle/judge/limits.h, equal_runs.
_RUNS = 40


class OtherEquals(mode.Mode):
    """While active, this choice alone is made in another way. Runs 1 to 40 together make each combination of choices, as far
    as there are no more than forty; `beyond` says that there are."""

    def __init__(self, number):
        eager.need(eager.NO_CONTROLS)
        super().__init__()
        self._left = number
        self._combinations = 1
        self.beyond = False

    def run(self, function, arguments, keywords):
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            choose_again(function, arguments, keywords, result, self._keys)
        return result

    def _draw(self, count):
        """The next choice among so many."""
        self._combinations *= count
        self.beyond = self.beyond or self._combinations > _RUNS
        self._left, drawn = divmod(self._left, count)
        return drawn

    def _keys(self, elements, dim, candidates):
        keys, size = _among_equals(elements, dim)
        first = (keys == 0) & (size > 1)
        if candidates is not None:
            first &= candidates
        groups = first.nonzero().tolist()
        self.beyond = self.beyond or 2 ** len(groups) > _RUNS
        for place in groups:
            if self.beyond:
                break
            row = tuple(slice(None) if axis == dim % elements.dim() else at for axis, at in enumerate(place))
            members = _equal(elements[row], elements[tuple(place)]).nonzero().flatten()
            order = self._order(len(members)) if candidates is None else self._rotation(len(members))
            keys[row][members] = torch.tensor(order, device=keys.device)
        return keys

    def _rotation(self, count):
        """The keys of so many elements of which one comes first."""
        drawn = self._draw(count)
        return [(i - drawn) % count for i in range(count)]

    def _order(self, count):
        """The keys of so many elements in an order."""
        left, keys = list(range(count)), [0] * count
        for key in range(count):
            if self.beyond:
                break
            keys[left.pop(self._draw(count - key))] = key
        return keys


def choose_again(function, arguments, keywords, result, keys):
    """Replaces the indices in the result by those of equal elements: by that of the least key. `keys(elements, dim,
    candidates)`: an integer for each element, no two of equal elements along `dim` alike; `candidates` are those of which
    one is named, None if all are put in order."""
    name = exactness.bare_name(function)
    if name not in _SELECT and name not in _SORT:
        return
    named = results.named(function, arguments, keywords)
    if named.get("stable"):
        return
    indices = result if isinstance(result, torch.Tensor) else result[1] if len(result) > 1 else None
    elements, dim = named["self"], named.get("dim", -1 if name in _LAST_DIMENSION else None)
    if indices is None or indices.is_floating_point() or not _has_elements(elements) or elements.dim() == 0:
        return
    written = results.written(function, arguments, keywords)
    if any(results.address(tensor) == results.address(elements) for tensor in written):
        return  # they are not there any more
    if dim is None:
        if not name.startswith("arg"):
            return  # one value of all elements, without an index
        elements, dim = elements.reshape(-1), 0
    elements = _pickable(elements)
    if name in _SORT:
        _sort_again(indices, _pickable(result[0]), elements, dim, named.get(*_SORT[name]), keys(elements, dim, None))
    else:
        _select_again(indices, elements, dim, keys)


def _has_elements(elements):
    has = elements.layout is torch.strided and results.has_memory(elements) and elements.numel() > 0
    return has and elements.dtype is not torch.uint64


def _pickable(elements):
    return elements.to(torch.int64) if elements.dtype in _WIDENED else elements


def _sort_again(indices, values, elements, dim, descending, keys):
    """The values may be fewer than the elements, and in any order."""
    by_key = keys.argsort(dim)
    order = elements.gather(dim, by_key).sort(dim=dim, descending=descending, stable=True).indices
    chosen = by_key.gather(dim, order).narrow(dim, 0, values.shape[dim])
    places = values.sort(dim=dim, descending=descending, stable=True).indices
    indices.scatter_(dim, places, chosen)


def _select_again(indices, elements, dim, keys):
    shape = list(elements.shape)
    shape[dim] = 1
    candidates = _equal(elements, elements.gather(dim, indices.reshape(shape)))
    chosen = keys(elements, dim, candidates)
    indices.copy_(torch.where(candidates, chosen, chosen.max() + 1).argmin(dim).reshape(indices.shape))


def _equal(one, other):
    return (one == other) | (one.isnan() & other.isnan())


def _among_equals(elements, dim):
    """Of each element, how many equal ones along `dim` come before it, and how many there are with it."""
    ordered, places = elements.sort(dim=dim, stable=True)
    count = elements.shape[dim]
    moved = ordered.movedim(dim, -1)
    begins = torch.ones(moved.shape, dtype=torch.bool, device=elements.device)
    begins[..., 1:] = ~_equal(moved[..., 1:], moved[..., :-1])
    at = torch.arange(count, device=elements.device).expand(moved.shape)
    first = torch.where(begins, at, 0).cummax(-1).values
    group = begins.cumsum(-1) - 1
    sizes = torch.zeros(moved.shape, dtype=torch.int64, device=elements.device)
    sizes.scatter_add_(-1, group, torch.ones_like(sizes))
    places = places.movedim(dim, -1)
    rank, size = torch.empty_like(sizes), torch.empty_like(sizes)
    rank.scatter_(-1, places, at - first)
    size.scatter_(-1, places, sizes.gather(-1, group))
    return rank.movedim(-1, dim), size.movedim(-1, dim)
