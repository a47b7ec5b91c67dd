"""Monte Carlo arithmetic: a result that an operator rounds is perturbed by -1, 0 or 1 units in the last place.

The mode is below autograd, so neither version counters nor graphs see it, and backward (including the accumulation of
gradients) goes through it as forward does. The noise comes from a separate generator, in the order of the operators, so
the same seed gives the same bits and the program's own random numbers don't change (draws.py). Zeros, denormals, the largest
finite number, infinities and NaN are not perturbed. Nor are elements of sums, differences, products and conversions that
did not round (unrounded.py). A zero that is left of terms that cancel is moved by their rounding (cancelling.py), also
where an operator adds up inside (inner.py). Numbers that are a few units apart may be equal (coinciding.py).

Tried and dropped: multiplying by 1 + e rounds twice in half types and needs a wider type, whereas adding to the bits
gives exactly the neighbouring number.
"""

import torch

from ..compat import eager
from . import cancelling, coinciding, draws, exactness, inner, mode, normalised, results, unrounded


class Noise(mode.Mode):
    """While active, every operator that rounds gives perturbed results."""

    def __init__(self, seed):
        eager.need(eager.NO_CONTROLS, eager.NO_NOISE)  # raised here: within the program an `except` could catch it
        super().__init__()
        self._draws = draws.Draws(seed, 0)
        self._of_terms = draws.Draws(seed, 1)
        self._coinciding = coinciding.Coinciding(self._of_terms)

    def run(self, function, arguments, keywords):
        if not exactness.rounds(function, arguments, keywords):
            result = function(*arguments, **keywords)
            if not function.is_view:
                self._coinciding.follow(arguments, keywords, result)
            return result
        added, of_added = inner.as_sum(function, arguments)
        exact = unrounded.of(added, of_added, keywords)
        before = cancelling.operands_before(added, of_added)
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            moved = results.made_or_written(function, arguments, keywords, result)
            for tensor, its_exact in zip(moved, [*exact, *[None] * len(moved)]):
                self._move(tensor, its_exact)
            if moved:
                cancelling.add(added, before, keywords, moved, self._of_terms)
                inner.add(function, arguments, keywords, moved[0], self._of_terms)
            normalised.add(exactness.bare_name(function), arguments, result, self._moved, self._of_terms)
            return self._coinciding.answer(function, arguments, keywords, result, moved)

    def _moved(self, tensor):
        copy = tensor.clone()
        self._move(copy, None)
        return copy

    def _move(self, tensor, exact):
        numbers = results.numbers(tensor)
        if numbers is None:
            return
        bits = results.BITS[numbers.element_size()]
        limits = torch.finfo(numbers.dtype)
        size = numbers.abs()
        moving = (size >= limits.tiny).logical_and_(size < limits.max)
        if exact is not None and exact.shape == numbers.shape and exact.device == numbers.device:
            moving.logical_and_(numbers != exact)
        numbers.view(bits).add_(self._draws.steps_of_bits(numbers, bits).mul_(moving))
        if exact is None or bool(moving.any()):
            self._coinciding.note(tensor)
