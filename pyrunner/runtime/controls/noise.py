"""Monte Carlo arithmetic: a result that an operator rounds is perturbed by -1, 0 or 1 units in the last place.

The mode is below autograd, so neither version counters nor graphs see it, and backward (including the accumulation of
gradients) goes through it as forward does. The noise comes from a separate generator, in the order of the operators, so
the same seed gives the same bits and the program's own random numbers don't change. Zeros, denormals, the largest
finite number, infinities and NaN are not perturbed. Nor are elements of sums, differences, products and conversions that
did not round (unrounded.py). A zero that is left of terms that cancel is moved by their rounding (cancelling.py).

Tried and dropped: multiplying by 1 + e rounds twice in half types and needs a wider type, whereas adding to the bits
gives exactly the neighbouring number.
"""

import torch

from ..compat import eager
from . import cancelling, exactness, mode, normalised, results, unrounded


class Noise(mode.Mode):
    """While active, every operator that rounds gives perturbed results."""

    def __init__(self, seed):
        eager.need(eager.NO_CONTROLS, eager.NO_NOISE)  # raised here: within the program an `except` could catch it
        super().__init__()
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))
        self._of_terms = torch.Generator().manual_seed(seed % (1 << 63))

    def run(self, function, arguments, keywords):
        if not exactness.rounds(function, arguments, keywords):
            return function(*arguments, **keywords)
        exact = unrounded.of(function, arguments, keywords)
        before = cancelling.operands_before(function, arguments)
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            moved = results.made_or_written(function, arguments, keywords, result)
            for tensor, its_exact in zip(moved, [*exact, *[None] * len(moved)]):
                self._move(tensor, its_exact)
            if moved:
                cancelling.add(function, before, keywords, moved, self._of_terms)
            normalised.add(exactness.bare_name(function), arguments, result, self._moved)
        return result

    def _moved(self, tensor):
        copy = tensor.clone()
        self._move(copy, None)
        return copy

    def _move(self, tensor, exact):
        tensor = results.numbers(tensor)
        if tensor is None:
            return
        bits = results.BITS[tensor.element_size()]
        limits = torch.finfo(tensor.dtype)
        size = tensor.abs()
        moving = (size >= limits.tiny).logical_and_(size < limits.max)
        if exact is not None and exact.shape == tensor.shape and exact.device == tensor.device:
            moving.logical_and_(tensor != exact)
        steps = torch.randint(-1, 2, tensor.shape, generator=self._generator, dtype=bits, device="cpu")
        tensor.view(bits).add_(steps.to(tensor.device).mul_(moving))
