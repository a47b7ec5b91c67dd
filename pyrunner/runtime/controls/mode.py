"""The dispatch mode under which noise and freedom change what operators give: it is below autograd, sees each operator with
plain tensors, and the operators that composite ones and control flow call."""

import torch

from ..compat import compiler, eager
from . import control_flow


@compiler.without_compiler
class Mode(eager.TorchDispatchMode):
    """While active, `run(function, arguments, keywords)` calls each operator and returns its result."""

    supports_higher_order_operators = True

    def __torch_dispatch__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        if kinds and any(kind not in eager.PLAIN_TENSORS for kind in kinds):
            return NotImplemented  # the subclass unwraps itself and calls again with plain tensors
        if control_flow.is_control_flow(function):
            return control_flow.run(self, function, arguments, keywords)
        if torch.is_inference_mode_enabled():  # composite operators arrive undecomposed
            with self:
                result = function.decompose(*arguments, **keywords)
            if result is not NotImplemented:
                return result
        return self.run(function, arguments, keywords)
