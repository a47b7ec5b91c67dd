"""Additional noise of Monte Carlo arithmetic for group, layer and batch normalisation, and softmax.

These operators read their input twice, to compute the mean and to subtract it. Eager reads the same bits both times, so
equal elements give exact zeros; a compiler may recompute the input, vectorised or not, and round it differently. The
effect on the result is the rounding of the input times the reciprocal deviation, so normalisation amplifies it.

What a row is shifted and divided by is a sum, which is rounded once for all of its elements: in another order they all
change by one factor, and by one addend. Elements that are moved independently don't show that, since their errors cancel
when they are added up.
"""

import torch

from . import results

# What a row has in common is moved by so many units. Chosen, not measured.
_UNITS = 2.0


# Each function gives a shape in which the input's rows can be told apart, the mean and the reciprocal deviation of each
# row, which go with it, and the weight, from the operator's arguments and results.


def _group(arguments, result):
    rows = arguments[0].shape[0], arguments[6]
    return (*rows, -1), *(item.reshape(*rows, 1) for item in result[1:3]), arguments[1]


def _layer(arguments, result):
    return arguments[0].shape, result[1], result[2], arguments[2]


def _batch(arguments, result):
    mean, reciprocal = result[1:3]
    if not arguments[5]:  # in evaluation they are not computed from the input
        mean, reciprocal = arguments[3], (arguments[4] + arguments[7]).rsqrt()
    rows = 1, -1, *[1] * (arguments[0].dim() - 2)
    return arguments[0].shape, mean.reshape(rows), reciprocal.reshape(rows), arguments[1]


_NORMALISE = {"native_group_norm": _group, "native_layer_norm": _layer, "native_batch_norm": _batch}


def add(name, arguments, result, moved, draws):
    """Adds the noise to the first result. `moved(tensor)`: a copy with perturbed elements."""
    if name in ("_softmax", "_log_softmax"):
        _add_to_softmax(name, arguments, result, draws)
    if name not in _NORMALISE or result[0].numel() == 0:
        return
    x = arguments[0]
    shape, mean, reciprocal, weight = _NORMALISE[name](arguments, result)
    change = _common(x.reshape(shape), mean, reciprocal, draws)
    if name != "native_batch_norm" or arguments[5]:
        change = change + (moved(x) - x).to(torch.float64).reshape(shape) * reciprocal
    change = change.reshape(x.shape)
    if weight is not None:
        per_channel = name != "native_layer_norm"
        change = change * (weight.reshape(1, -1, *[1] * (x.dim() - 2)) if per_channel else weight)
    result[0].add_(torch.where(change.isfinite(), change, 0).to(result[0].dtype))


def _common(x, mean, reciprocal, draws):
    """What rounding the mean and the deviation of a row changes in it. The mean of two is exact."""
    if x.numel() <= 2 * mean.numel():
        return torch.zeros_like(x, dtype=torch.float64)
    wide = mean.to(torch.float64)
    of_deviation = (x.to(torch.float64) - wide) * draws.parts(x, mean.shape)
    of_mean = wide.abs() * draws.parts(x, mean.shape)
    return (of_deviation + of_mean) * reciprocal * (_UNITS * results.unit_of_sum(x))


def _add_to_softmax(name, arguments, result, draws):
    if result.numel() == 0 or result.dim() == 0:
        return
    dim = arguments[1]
    rows = [1 if i == dim % result.dim() else size for i, size in enumerate(result.shape)]
    parts = draws.parts(result, rows) * (_UNITS * results.unit_of_sum(result))
    if name == "_softmax":
        change = result * parts
    else:
        change = (arguments[0].to(torch.float64) - result).nan_to_num(0, 0, 0).abs().amax(dim, keepdim=True) * parts
    result.copy_(result.to(torch.float64) + change)
