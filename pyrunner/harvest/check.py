"""A program file, run in this process: whether eager takes it, gives the same bits twice, and which."""

import ctypes
import hashlib
import linecache
import sys
import warnings

import torch

from runtime import load
from runtime.state import memory

from . import CannotWrite

_MASKS = (0x11, 0xB4)  # what fresh memory is filled with
_PARTS = {"given": "arguments", "told": "results", "after": "arguments afterwards", "gradients": "gradients"}


def _bytes(tensor):
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if plain.is_complex():
        plain = torch.view_as_real(plain)
    if plain.is_floating_point() and plain.dtype.itemsize > 1:
        plain = torch.where(torch.isnan(plain), torch.full_like(plain, float("nan")), plain)  # one NaN is as good as another
    return ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size()) if plain.numel() else b""


def _told(value, told):
    if isinstance(value, torch.Tensor):
        if value.layout is not torch.strided:
            raise CannotWrite("a sparse result")
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            raise CannotWrite(f"a result of class {type(value).__name__}")
        strides = [stride for size, stride in zip(value.shape, value.stride()) if size > 1 and value.numel()]
        told.update(repr((str(value.dtype), tuple(value.shape), strides)).encode())
        told.update(_bytes(value))
    elif isinstance(value, (list, tuple)):
        told.update(f"{len(value)} of".encode())
        for one in value:
            _told(one, told)
    elif isinstance(value, dict):
        for key, one in value.items():
            told.update(repr(key).encode())
            _told(one, told)
    else:
        told.update(f"{type(value).__name__} {value!r}".encode())


def digest(value):
    """Of everything that a nest of values shows: dtypes, shapes, strides that matter, elements."""
    told = hashlib.sha256()
    _told(value, told)
    return told.hexdigest()


def short(error):
    """An exception in a line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:160]}" if lines else type(error).__name__


def executed(text):
    """The module of a program text, executed as the worker does."""
    name = f"<harvested {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    torch.manual_seed(0)
    try:
        return load.load({"source": text}, name)
    finally:
        linecache.cache.pop(name, None)
        sys.modules.pop(load.module_name(text), None)


def backward(outputs):
    """Runs backward as the worker does after a call."""
    leaves = [one for one in torch.utils._pytree.tree_leaves(outputs) if isinstance(one, torch.Tensor) and one.requires_grad]
    if leaves:
        torch.autograd.backward(leaves, [torch.ones_like(one) for one in leaves])


def _run(text, number):
    memory.fill(_MASKS[number])
    module = executed(text)
    arguments = module.make_inputs()
    given = [digest(one) for one in arguments]
    torch.manual_seed(number)
    dice = torch.get_rng_state()
    outputs = module.program(*arguments)
    if not torch.equal(dice, torch.get_rng_state()):
        raise CannotWrite("random")
    told = digest(outputs)
    seen = {"given": given, "told": told, "after": digest(arguments), "module": getattr(module, "module", None)}
    backward(outputs)
    seen["gradients"] = [None if one.grad is None else digest(one.grad) for one in arguments if one.is_leaf]
    return seen


def run_twice(text):
    """What the two runs of a program text showed: {"given": digests of the arguments, "told": of the outputs, …}. Raises
    CannotWrite where eager refuses it or the runs differ: the seed of random numbers and what fresh memory holds are
    other ones in the second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            first, second = _run(text, 0), _run(text, 1)
        except CannotWrite:
            raise
        except Exception as error:
            raise CannotWrite(f"eager refuses the program: {short(error)}") from None
        finally:
            memory.fill(0)
    for part in _PARTS:
        if first[part] != second[part]:
            raise CannotWrite(f"{_PARTS[part]} not the same twice: random, or of memory that nothing was written to")
    return first
