"""Which of several equal elements an index names: eager names one, and no documentation says which one."""

import torch

from ..compat import eager
from . import exactness, mode, results

_SELECT = frozenset("argmax argmin kthvalue max median min mode nanmedian".split())
_SORT = {"sort": ("descending", False), "topk": ("largest", True)}  # the parameter that says the direction, its default
_LAST_DIMENSION = frozenset("kthvalue mode sort topk".split())  # they take it if none is said
# With so many equal elements at most, runs from 1 on and eager itself show each of them at each place.
_ROTATIONS = 15


class OtherEquals(mode.Mode):
    """While active, this choice alone is made in another way. Run N of the first fifteen names the N-th equal element after
    the one that comes by position, so that together they list what a place may hold. Later ones draw: one in three for each
    element, the others for each call of an operator whether it takes the first or the last ones, as kernels do."""

    def __init__(self, number):
        eager.need(eager.NO_CONTROLS)
        super().__init__()
        self._number = number
        self._generator = torch.Generator().manual_seed(number)

    def run(self, function, arguments, keywords):
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            choose_again(function, arguments, keywords, result, self._keys)
        return result

    def _keys(self, elements, dim):
        if self._number > _ROTATIONS and self._number % 3 == 0:
            drawn = torch.rand(elements.shape, generator=self._generator, dtype=torch.float64)
            return drawn.argsort(dim).argsort(dim).to(elements.device)
        rank, size = _among_equals(elements, dim)
        if self._number > _ROTATIONS:
            last = bool(torch.randint(2, (), generator=self._generator))
            return size - 1 - rank if last else rank
        return torch.remainder(rank - self._number, size)


def choose_again(function, arguments, keywords, result, keys):
    """Replaces the indices in the result by those of equal elements: by that of the least key. `keys(elements, dim)`: an
    integer for each element, no two of equal elements along `dim` alike."""
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
    if dim is None:
        if not name.startswith("arg"):
            return  # one value of all elements, without an index
        elements, dim = elements.reshape(-1), 0
    if name in _SORT:
        _sort_again(indices, result[0], elements, dim, named.get(*_SORT[name]), keys(elements, dim))
    else:
        _select_again(indices, elements, dim, keys(elements, dim))


def _has_elements(elements):
    return elements.layout is torch.strided and results.has_memory(elements) and elements.numel() > 0


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
    value = elements.gather(dim, indices.reshape(shape))
    others = keys.max() + 1
    chosen = torch.where(_equal(elements, value), keys, others).argmin(dim)
    indices.copy_(chosen.reshape(indices.shape))


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
