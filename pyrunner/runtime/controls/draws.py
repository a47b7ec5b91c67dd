"""What a run with moved roundings draws.

Runs come in pairs, of which the second draws the opposite of the first. So a jump that needs one of two directions is made
by one of them, if either direction is drawn at all. In one pair of four all elements of a tensor are moved in one
direction: a condition that needs all of them, as all() does, would not be met otherwise. In half of these pairs it is one
direction for the whole run, in the others one for each call of an operator. Likewise, what is done in some runs is done at
every call, or at none, in one pair of two. Which pairs these are is fixed, so that the first four runs hold one. One of four,
and of two, are chosen, not measured.
"""

import math

import torch

_PAIRS = 4
_TOGETHER = 2
_AT_ONCE = 2


class Draws:
    """The numbers of one run, in the order of asking. `salt`: other numbers of the same run."""

    def __init__(self, seed, salt):
        pair = (seed + 1) // 2
        self._sign = 1 if seed % 2 else -1
        self._generator = torch.Generator().manual_seed((2 * pair + salt) % (1 << 63))
        self.together = pair % _PAIRS == _TOGETHER
        self._everywhere = self.together and pair // _PAIRS % 2 == 0
        self._at_once = pair % _AT_ONCE == 0

    def steps(self, like):
        """-1, 0 or 1 for each element, in float64."""
        return self._signed(like, lambda shape: self._integers(-1, 2, shape), self._direction)

    def steps_of_bits(self, like, dtype):
        """The same as integers that are added to an element's bits, which grow away from zero."""
        if self.together:
            return torch.where(like < 0, -1, 1).to(dtype).mul_(self._direction() * self._sign)
        drawn = self._integers(-1, 2, like.shape, dtype)
        return (drawn if self._sign > 0 else drawn.neg_()).to(like.device)

    def parts(self, like, shape=None):
        """Numbers between -1 and 1 for each element, or each of a shape, in float64; two in three are at least a half in size,
        since what is rare are large steps. If all go in one direction, they are one such number."""
        return self._signed(like, lambda shape: self._uniform(shape).mul_(math.pi).cos_(), self._large, shape)

    def happens(self):
        """Whether something is done at this call. It is done in one run of each pair."""
        return (1 if self._at_once else self._direction()) * self._sign > 0

    def _signed(self, like, each, one, shape=None):
        shape = like.shape if shape is None else shape
        drawn = torch.full(shape, one(), dtype=torch.float64) if self.together else each(shape).to(torch.float64)
        return drawn.mul_(self._sign).to(like.device)

    def _large(self):
        return self._direction() * (1 + float(self._uniform(()))) / 2

    def _direction(self):
        return 1 if self._everywhere or int(self._integers(0, 2, ())) else -1

    def _integers(self, least, above, shape, dtype=torch.int64):
        return torch.randint(least, above, shape, generator=self._generator, dtype=dtype, device="cpu")

    def _uniform(self, shape):
        return torch.rand(shape, generator=self._generator, dtype=torch.float64, device="cpu")
