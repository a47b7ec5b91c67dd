"""Runs backward through what a call gives, and collects the gradients.

Backward starts at the outputs. Where none has a gradient it starts, after the last call, at the tensors that the call has
stored in its arguments or in the state; at none where an earlier backward may have led through their graphs. (Starting at
both would lose the gradients of outputs wherever backward from a stored tensor fails.)
"""

import re

import torch

from ..compat import eager
from . import leaves

_DEEPEST = 100
_COMMENT = re.compile(r"#.*")
# torch.func.grad goes through graphs of its own, and `.grad` is what a backward leaves.
_RUNS = re.compile(r"(?<!def )\bbackward\b|\bautograd(?:\.| import\b.*\b)grad\b|(?<!func\.)\bgrad\s*\(")


def runs_itself(source):
    """Whether a program may run backward, by the words of its text: `loss.backward()`, `torch.autograd.grad(…)`."""
    return _RUNS.search(_COMMENT.sub("", source)) is not None


def cotangent(output, number):
    """A fixed cotangent for an output, with unequal elements that are never 0 and exact in every floating type:
    multiples of 1/16 below 1."""
    steps = (torch.arange(output.numel()) * 3 + number * 5) % 13 - 6
    values = (steps.to(torch.float64) * 0.125 + 0.0625).to(output.dtype)
    if output.dtype.is_complex:
        values = values + 0.5j * values.flip(0)
    return values.reshape(output.shape).to(output.device)


def differentiable(value):
    """The tensors in a value that have a gradient, at any depth and in order; one that occurs twice counts twice."""
    found = []
    with eager.DisableTorchFunction():
        _add_differentiable(value, found, set(), 0)
    return found


def _add_differentiable(value, found, seen, depth):
    if issubclass(type(value), torch.Tensor):
        if value.requires_grad and value.layout is torch.strided:
            found.append(value)
        return
    inner = leaves.inside(value)
    if inner and id(value) not in seen and len(seen) < 10_000 and depth < _DEEPEST:
        seen.add(id(value))
        for _, item in inner:
            _add_differentiable(item, found, seen, depth + 1)


def graphs_in(values):
    """Those of them that an autograd graph has computed."""
    found = differentiable(values)
    with eager.DisableTorchFunction():
        return [tensor for tensor in found if not tensor.is_leaf]


def run(roots, within, ordered=True):
    """Runs backward through these tensors; False if there is none. `within(function, …)` calls it in the precision of the run.
    Each has a cotangent of its own; where in which order they come counts for nothing (`ordered`), all have the first one's."""
    if not roots:
        return False
    with eager.DisableTorchFunction(), torch.no_grad():
        cotangents = [cotangent(root, number if ordered else 0) for number, root in enumerate(roots)]
    with torch.enable_grad():
        within(torch.autograd.backward, roots, cotangents)
    return True


def have_gradients(found):
    """Whether any of {name: leaf} has a gradient."""
    with eager.DisableTorchFunction():
        return any(leaf.grad is not None for leaf in found.values())


def collect(found, observer):
    """The Value of the gradients by name; clears the gradients of tensors that require some."""
    with eager.DisableTorchFunction():
        gradients = {name: leaf.grad for name, leaf in found.items()}
    items = [observer.value(gradient) for gradient in gradients.values()]
    with eager.DisableTorchFunction():
        for leaf in found.values():
            if leaf.requires_grad:
                leaf.grad = None
    return {"kind": "mapping", "type": "dict", "labels": list(gradients), "items": items}
