"""What an operator made or wrote, and the memory of its numbers: for modes below autograd that change results."""

import torch

from ..compat import eager
from . import exactness

# The integer type of a floating-point element's bits, by its size in bytes.
BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}
_SAMPLE = 1024


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [item for part in value for item in tensors(part)]
    return []


def named(function, arguments, keywords):
    """What the operator is called with, by the names of its schema; what is left out is missing."""
    names = (argument.name for argument in eager.schema_of(function).arguments)
    return {**dict(zip(names, arguments)), **keywords}


def made_or_written(function, arguments, keywords, result):
    """The tensors that the operator writes to, and those of its result that it wasn't given."""
    found = written(function, arguments, keywords)
    given = {id(item) for item in (*found, *tensors(arguments))}
    return found + [tensor for tensor in tensors(result) if id(tensor) not in given]


def written(function, arguments, keywords):
    """The tensors that the operator writes to in this call."""
    names = exactness.written_names(function)
    if not names:
        return []
    given = named(function, arguments, keywords)
    if exactness.writes_statistics(function) and not given.get("training", True):
        names = [name for name in names if name not in exactness.STATISTICS]
    return [tensor for name in names for tensor in tensors(given.get(name))]


def address(tensor):
    """Of the tensor's storage. None for zeros that forward-mode differentiation stores without elements, for meta and nested
    tensors and wrappers."""
    if tensor.is_nested or eager.is_zero_tensor(tensor) or tensor.is_meta or eager.is_transform_wrapper(tensor):
        return None
    try:
        return tensor.untyped_storage().data_ptr() or None
    except RuntimeError:
        return None


def has_memory(tensor):
    return address(tensor) is not None


def has_floats(tensor):
    """It holds real floating-point numbers in memory."""
    return tensor.layout is torch.strided and tensor.is_floating_point() and has_memory(tensor) and tensor.numel() > 0


def unit_of_sum(tensor):
    """What sums of the tensor's type are rounded by, as a part of them: half types are added up in float32."""
    return min(torch.finfo(tensor.dtype).eps, torch.finfo(torch.float32).eps)


def has_long_numbers(tensor):
    """It is large, and of some of its elements none is short, a multiple of a 1024th: results are hardly ever exact, and
    not worth computing in float64."""
    if not tensor.is_floating_point() or tensor.numel() <= 4 * _SAMPLE:
        return False
    sample = tensor.reshape(-1)[::tensor.numel() // _SAMPLE].to(torch.float64)
    sample = sample[sample != 0] * 1024
    return sample.numel() > 0 and not bool((sample.frac() == 0).any())


def numbers(tensor):
    """The tensor's memory as real floating-point numbers that can be written one by one: a view, complex elements in two
    parts, as they are stored. None for other types, and where two elements share memory."""
    if tensor.layout is not torch.strided or not has_memory(tensor) or tensor.numel() == 0:
        return None
    if tensor.is_conj():
        tensor = eager.conjugate_view(tensor)
    if tensor.is_neg():
        tensor = eager.negative_view(tensor)
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    if not tensor.is_floating_point() or tensor.element_size() not in BITS or eager.has_internal_overlap(tensor):
        return None
    return tensor
