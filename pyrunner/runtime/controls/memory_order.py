"""Two choices about memory: what fresh memory contains, and in which order random numbers are written.

An operator that makes a tensor without writing it leaves what is there. A compiler may have anything there, a NaN too,
which no byte that the allocator can fill memory with gives. Among deterministic algorithms torch promises what it holds
(torch.utils.deterministic.fill_uninitialized_memory).

Random numbers are drawn in the order of memory. Which order an intermediate has is the compiler's choice, so a tensor that
isn't in row-major order may get them in that order.
"""

import torch

from ..compat import eager
from . import exactness


def choose_again(function, result, seed):
    """Changes the result of an operator that leaves memory unwritten, or fills it at random. With an odd seed fresh floats
    are NaN and other numbers -1; else both are 1."""
    if not isinstance(result, torch.Tensor) or not result.numel() or result.layout is not torch.strided or result.is_quantized:
        return
    name = exactness.bare_name(function)
    if name.startswith(("empty", "new_empty")):
        if not _is_promised():
            _fill(result, seed)
    elif _only_draws(name, function) and not result.is_contiguous():
        _rearrange(result)


def _is_promised():
    return torch.are_deterministic_algorithms_enabled() and torch.utils.deterministic.fill_uninitialized_memory


def _fill(result, seed):
    if eager.has_internal_overlap(result):
        return
    with torch.no_grad():
        if result.is_floating_point() or result.is_complex():
            result.fill_(float("nan") if seed % 2 else 1.0)
        else:
            result.fill_(1 if seed % 2 == 0 or result.dtype is torch.bool else -1 if result.dtype.is_signed else 255)


def _only_draws(name, function):
    """Whether what it gives depends on no element that it is given."""
    own = eager.schema_of(function).name.removeprefix("aten::")
    if own not in exactness.FILL_AT_RANDOM and not (name.endswith("_like") and name.startswith("rand")):
        return False
    return sum("Tensor" in str(one.type) for one in eager.schema_of(function).arguments) == 1


def _rearrange(result):
    order = sorted(range(result.dim()), key=lambda dim: -result.stride(dim))
    in_memory = result.permute(order)
    if in_memory.is_contiguous():
        with torch.no_grad():
            result.copy_(in_memory.reshape(-1).clone().view(result.shape))
