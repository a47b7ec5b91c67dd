"""Reads the bytes of a tensor's elements without going through the tensor's own dispatch."""

import ctypes
import hashlib

import torch

from ..compat import eager

_MOST_BYTES = 1 << 28


def elements(tensor):
    """The bytes of a tensor's elements in row-major order, conj and neg bits resolved; raises if they can't be read."""
    size = tensor.numel() * tensor.element_size()
    if size > _MOST_BYTES:
        raise ValueError(f"{size} bytes are more than we keep")
    if type(tensor) in eager.PLAIN_TENSORS:
        return _copied(tensor, size)
    with eager.below_subclasses():
        return _copied(tensor, size)


def _copied(tensor, size):
    if size == 0:
        return b""
    if tensor.is_meta or tensor.untyped_storage().data_ptr() == 0:
        raise ValueError(f"a {type(tensor).__name__} without memory")
    if type(tensor) not in eager.PLAIN_TENSORS:
        tensor = tensor.as_subclass(torch.Tensor)
    plain = tensor.detach()
    if tensor.is_conj() or tensor.is_neg():
        plain = plain.resolve_conj().resolve_neg()
    plain = plain.cpu().contiguous()
    return ctypes.string_at(plain.data_ptr(), size)


def norm(tensor):
    """The norm of a floating tensor's elements; 0 for exact dtypes, and if it can't be computed."""
    if type(tensor) not in eager.PLAIN_TENSORS or not (tensor.is_floating_point() or tensor.is_complex()):
        return 0.0
    try:
        found = torch.linalg.vector_norm(tensor.detach()).item()
    except Exception:
        return 0.0
    return found if found == found else -1.0


def digest(tensor):
    """A text that is the same for tensors with the same elements; "" if they can't be read."""
    try:
        return hashlib.sha256(elements(tensor)).hexdigest()
    except Exception:
        return ""


def version_of(tensor):
    """How often a tensor's memory was written to, as autograd counts; -1 where it doesn't count."""
    try:
        return eager.version_of(tensor)
    except Exception:  # inference tensors have none
        return -1
