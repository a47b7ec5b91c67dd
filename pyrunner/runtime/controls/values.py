"""Other values for the same arguments: floating-point elements are drawn anew, everything else is preserved.

Elements are drawn storage by storage, so that arguments that share memory still do: for each tensor, widest dtype
first, the elements that it shows are drawn between its smallest and largest finite element. A tensor that holds only
integers gets integers; one that holds a single value gets values within a sixteenth of it, or is not changed when that
value is an integer. Infinities and NaN stay in place. A storage that integer or bool tensors also refer to is not
changed.
"""

import torch

from ..compat import eager
from . import exactness

_DEEPEST = 20


def redraw(calls, seed):
    """Draws in place. This happens below autograd: version counters, leaves and graphs don't change."""
    generator = torch.Generator().manual_seed(seed % (1 << 63))
    with eager.DisableTorchFunction(), torch.no_grad():
        for tensors in _by_storage(calls):
            before = tensors[0].untyped_storage().clone()
            for tensor in sorted(tensors, key=lambda tensor: -tensor.numel()):
                _draw(tensor, before, generator)


def _by_storage(calls):
    """Lists of tensors that share a storage, in the order of the arguments; only those that can be drawn."""
    groups = {}
    for tensor in tensors(calls):
        if tensor.layout is torch.strided and tensor.numel() and type(tensor) in eager.PLAIN_TENSORS:
            groups.setdefault(eager.storage_key(tensor.untyped_storage()), []).append(tensor)
    return [group for group in groups.values() if all(exactness.has_fractions(tensor.dtype) for tensor in group)]


def tensors(value, depth=0, seen=None):
    """All that it holds, each once."""
    seen = set() if seen is None else seen
    if isinstance(value, torch.Tensor):
        if id(value) not in seen:
            seen.add(id(value))
            yield value
        return
    if depth > _DEEPEST or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (list, tuple)):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, torch.nn.Module):
        inner = [*value.parameters(), *value.buffers()]
    elif isinstance(getattr(value, "__dict__", None), dict) and not isinstance(value, type):
        inner = list(vars(value).values())
    else:
        return
    for item in inner:
        yield from tensors(item, depth + 1, seen)


def _whole(storage, tensor):
    """The whole storage as a one-dimensional tensor of the tensor's dtype."""
    row = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return row.set_(storage, 0, (storage.nbytes() // tensor.element_size(),))


def _draw(tensor, before, generator):
    """`before` is a copy of the original storage, so that the elements drawn for one tensor don't affect the range of
    the next."""
    whole, old = _whole(tensor.untyped_storage(), tensor), _whole(before, tensor)
    places = torch.arange(whole.numel()).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).reshape(-1)
    places = places.unique()
    if tensor.is_complex():
        whole, old = torch.view_as_real(whole).reshape(-1), torch.view_as_real(old).reshape(-1)
        for part in range(2):
            _redraw_at(places * 2 + part, whole, old, generator)
    else:
        _redraw_at(places, whole, old, generator)


def _redraw_at(places, whole, old, generator):
    old = old[places].to(torch.float64)
    known = old[old.isfinite()]
    if known.numel() == 0:
        return
    low, high = known.min(), known.max()
    draws = torch.rand(places.numel(), generator=generator, dtype=torch.float64)
    if bool((known == known.round()).all()):
        new = (low + (draws * (high - low + 1)).floor()).clamp(max=high)
    elif low == high:
        new = low * (1 + (draws - 0.5) / 8)
    else:
        new = low + draws * (high - low)
    whole[places] = torch.where(old.isfinite(), new, old).to(whole.dtype)
