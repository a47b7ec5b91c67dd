"""What an operator gives without rounding, so that elements that it did not round can be told from the others: integers
in floating-point tensors stay integers until an operator really rounds.

Conversions are rounded once, by IEEE's rule, whoever computes them, and so are some operators (once_rounded.py). Sums of
many terms are rounded in the order of adding: their elements are known only where no order rounds (cancelling.py). So are
those of other sums, of means and products (whole.py).
"""

import torch

from ..compat import eager
from . import cancelling, exactness, once_rounded, results, whole

_ENTRIES = (list, tuple)


def of(function, arguments, keywords):
    """For each tensor that the operator makes or writes its elements in float64, or None where they are not known. To be
    asked before the operator writes."""
    with eager.DisableTorchFunction(), eager.below_autograd():
        try:
            return _known(function, arguments, keywords)
        except Exception:  # wrong arguments, of which the operator itself will say what is wrong
            return []


def _known(function, arguments, keywords):
    name = exactness.bare_name(function)
    if name in ("_to_copy", "copy"):
        return [_wide(source) for source in results.tensors(arguments[0 if name == "_to_copy" else 1])]
    if name in exactness.ONCE_ROUNDED:
        alpha = {key: item for key, item in keywords.items() if key == "alpha"}
        return [once_rounded.known(name, entry, alpha) for entry in _entries(arguments)]
    if exactness.may_be_whole(function):
        return [whole.known(function, arguments, keywords)]
    return [cancelling.without_rounding(function, arguments, keywords)] if exactness.adds_up(function) else []


def _entries(arguments):
    """The operands of each result: an operator of lists computes one for each entry."""
    if not isinstance(arguments[0], _ENTRIES):
        return [arguments]
    count = range(len(arguments[0]))
    return [[item[i] if isinstance(item, _ENTRIES) else item for item in arguments] for i in count]


def _wide(source):
    return source.to(torch.float64, copy=True) if not source.is_complex() and results.has_memory(source) else None
