"""Monte Carlo arithmetic: a result that an operator rounds is perturbed by -1, 0 or 1 units in the last place.

The mode is below autograd, so neither version counters nor graphs see it, and backward (including the accumulation of
gradients) goes through it as forward does. The noise comes from a separate generator, in the order of the operators, so
the same seed gives the same bits and the program's own random numbers don't change. Zeros, denormals, the largest
finite number, infinities and NaN are not perturbed. Nor are elements of sums, differences and products that did not
round (they equal the result in float64): integers in floating-point tensors stay integers until an operator really
rounds. A zero that is left of terms that cancel is moved by their rounding (cancelling.py).

Tried and dropped: multiplying by 1 + e rounds twice in half types and needs a wider type, whereas adding to the bits
gives exactly the neighbouring number.
"""

import torch

from ..compat import compiler, eager
from . import cancelling, control_flow, exactness, normalised, results

_PLAIN = (torch.Tensor, torch.nn.Parameter)


@compiler.without_compiler
class Noise(eager.TorchDispatchMode):
    """While active, every operator that rounds gives perturbed results."""

    supports_higher_order_operators = True

    def __init__(self, seed):
        eager.need(eager.NO_CONTROLS, eager.NO_NOISE)  # raised here: within the program an `except` could catch it
        super().__init__()
        self._generator = torch.Generator().manual_seed(seed % (1 << 63))
        self._of_terms = torch.Generator().manual_seed(seed % (1 << 63))

    def __torch_dispatch__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        if kinds and any(kind not in _PLAIN for kind in kinds):
            return NotImplemented  # the subclass unwraps itself and calls again with plain tensors
        if control_flow.is_control_flow(function):
            return control_flow.run(self, function, arguments, keywords)
        if torch.is_inference_mode_enabled():  # composite operators arrive undecomposed
            with self:
                result = function.decompose(*arguments, **keywords)
            if result is not NotImplemented:
                return result
        if not exactness.rounds(function, arguments, keywords):
            return function(*arguments, **keywords)
        exact = _in_float64(function, arguments, keywords)
        result = function(*arguments, **keywords)
        with eager.DisableTorchFunction(), eager.below_autograd():
            for tensor in results.made_or_written(function, arguments, keywords, result):
                self._move(tensor, exact)
            cancelling.add(function, arguments, keywords, result, self._of_terms)
            normalised.add(exactness.bare_name(function), arguments, result, self._moved)
            for number in exactness.WRITES_UNSAID.get(exactness.bare_name(function), ()):
                if arguments[5] and arguments[number] is not None:  # only in training
                    self._move(arguments[number], None)
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
        if exact is not None and exact.shape == tensor.shape:
            moving.logical_and_(tensor != exact)
        steps = torch.randint(-1, 2, tensor.shape, generator=self._generator, dtype=bits, device="cpu")
        tensor.view(bits).add_(steps.to(tensor.device).mul_(moving))


def _in_float64(function, arguments, keywords):
    """The same sum, difference or product in float64; None for other operators."""
    again = exactness.ONCE_ROUNDED.get(exactness.bare_name(function))
    if again is None or not isinstance(arguments[0], torch.Tensor):
        return None
    given = [item for item in arguments if isinstance(item, torch.Tensor)]
    if any(item.dtype is torch.float64 or item.is_complex() or not results.has_memory(item) for item in given):
        return None
    keywords = {name: item for name, item in keywords.items() if name == "alpha"}
    with eager.DisableTorchFunction(), eager.below_autograd():
        up = [item.double() if isinstance(item, torch.Tensor) else item for item in arguments]
        return again(*up, **keywords)
