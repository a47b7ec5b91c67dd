"""Additional noise of Monte Carlo arithmetic for group, layer and batch normalisation.

These operators read their input twice, to compute the mean and to subtract it. Eager reads the same bits both times, so
equal elements give exact zeros; a compiler may recompute the input, vectorised or not, and round it differently. The
effect on the result is the rounding of the input times the reciprocal deviation, so normalisation amplifies it.
"""

import torch


# Each function gives the reciprocal deviation in the shape of the input, and the weight, from the operator's arguments
# and results.


def _group(arguments, result):
    x, groups = arguments[0], arguments[6]
    each = result[2].reshape(x.shape[0], groups, *[1] * (x.dim() - 1))
    grouped = each.expand(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])
    return grouped.reshape(x.shape), arguments[1]


def _layer(arguments, result):
    return result[2].expand(arguments[0].shape), arguments[2]


def _batch(arguments, result):
    x = arguments[0]
    if not arguments[5]:  # in evaluation the mean does not depend on the input
        return None, None
    return result[2].reshape(1, -1, *[1] * (x.dim() - 2)).expand(x.shape), arguments[1]


_NORMALISE = {"native_group_norm": _group, "native_layer_norm": _layer, "native_batch_norm": _batch}


def add(name, arguments, result, moved):
    """Adds the noise to the first result. `moved(tensor)`: a copy with perturbed elements."""
    if name not in _NORMALISE or result[0].numel() == 0:
        return
    x = arguments[0]
    reciprocal, weight = _NORMALISE[name](arguments, result)
    if reciprocal is None:
        return
    change = (moved(x) - x).to(torch.float64) * reciprocal
    if weight is not None:
        per_channel = name != "native_layer_norm"
        change = change * (weight.reshape(1, -1, *[1] * (x.dim() - 2)) if per_channel else weight)
    result[0].add_(change.to(result[0].dtype))
