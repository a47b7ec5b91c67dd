"""Whether a program gives what the file that it was made of gives: both run in eager, on the same values."""

import hashlib
import sys

import torch

from harvest import CannotWrite, check
from runtime import load

from . import CannotImport
from .record import tensors_in


def loaded(source):
    """The module of a program text, as the worker executes it."""
    name = f"<imported {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    torch.manual_seed(0)
    try:
        return load.load({"source": source}, name)
    finally:
        sys.modules.pop(load.module_name(source), None)


def _memory(tensor):
    """All elements of a tensor, and those between them."""
    plain = tensor.detach()
    plain = plain.conj() if plain.is_conj() else plain
    length = 1 + sum((size - 1) * stride for size, stride in zip(plain.shape, plain.stride())) if plain.numel() else 0
    return plain.as_strided((length,), (1,), plain.storage_offset())


def _digests(tensors):
    return [check.digest(one) for one in tensors]


def _run(run, args, live):
    """Digests of the outputs, of the arguments afterwards, of gradients."""
    torch.manual_seed(0)
    outputs = tensors_in(run(*args))
    told = {"outputs": _digests(outputs), "arguments afterwards": _digests(live)}
    asked = [one for one in outputs if one.requires_grad]
    told["gradients"] = [len(asked)]
    if asked:
        torch.autograd.backward(asked, [torch.ones_like(one) for one in asked], retain_graph=True)
        told["gradients"] += [None if not one.is_leaf or one.grad is None else check.digest(one.grad) for one in live]
    return told


def _given_fault(recorded, given):
    """Why the arguments of the program aren't those of the file; "" when they are."""
    if len(given) != len(recorded.live):
        return "it has another number of arguments"
    drawn = recorded.instance["drawn"]
    for at, (one, live, tensor) in enumerate(zip(given, recorded.live, recorded.instance["tensors"])):
        if (one.dtype, one.shape, one.stride(), one.requires_grad) != (
                live.dtype, live.shape, live.stride(), live.requires_grad):
            return f"v{at} has another dtype, shape or layout"
        if tensor["storage"] not in drawn and check.digest(one) != recorded.digests[at]:
            return f"v{at} has other elements"
    return ""


def _scaled(given):
    """Other values in the floating arguments: each of them three quarters of itself."""
    for one in given:
        if one.is_floating_point():
            _memory(one).mul_(0.75)


def differences(original, recorded, source, scaled=False):
    """What differs, in a few words, or "". With `scaled` on other values. Raises CannotWrite where eager refuses."""
    try:
        module = loaded(source)
        given = module.make_inputs()
        if fault := _given_fault(recorded, given):
            return fault
        if scaled:
            _scaled(given)
        for live, one in zip(recorded.live, given):
            _memory(live).copy_(_memory(one))
            live.grad = None
        theirs = _run(original.run, original.args, recorded.live)
        ours = _run(module.program, given, given)
    except CannotWrite:
        raise
    except (Exception, SystemExit) as error:
        raise CannotWrite(f"eager refuses the program: {check.short(error)}") from None
    for part, told in theirs.items():
        if told != ours[part]:
            number = next((at for at, pair in enumerate(zip(told, ours[part])) if pair[0] != pair[1]), len(told))
            return f"{part} (number {number})"
    return ""


def _against(expected, outputs):
    """What sets the outputs apart from those of another implementation, in a few words; "" when rounding explains it."""
    if len(expected) != len(outputs):
        return f"{len(outputs)} outputs instead of {len(expected)}"
    for at, (one, ours) in enumerate(zip(expected, outputs)):
        if one.shape != ours.shape or one.dtype != ours.dtype:
            return f"output {at} is {tuple(ours.shape)} of {ours.dtype} instead of {tuple(one.shape)} of {one.dtype}"
        near = 2e-2 if one.dtype in (torch.float16, torch.bfloat16) else 1e-4
        wide = torch.complex128 if one.dtype.is_complex else torch.float64
        if not torch.allclose(one.to(wide), ours.to(wide), rtol=near, atol=near, equal_nan=True):
            return f"output {at} is up to {(one.to(wide) - ours.to(wide)).abs().max().item():.3g} away"
    return ""


def beside_reference(original):
    """(whether the second implementation of a file agrees, what is to be said of it)."""
    if original.reference is None:
        return True, ""
    try:
        expected = original.reference(original.args)
    except CannotImport as failure:
        return True, f"; not compared with onnx's own evaluator ({failure})"
    fault = _against(expected, original.run(*original.args))
    return not fault, f"; {fault} by onnx's own evaluator" if fault else "; within rounding of onnx's own evaluator"


def found(original, recorded, source):
    """What running both showed, once `differences` has found none."""
    try:
        other = differences(original, recorded, source, scaled=True)
        other = other and f"their {other} differ"
    except CannotWrite as error:
        other = str(error)
    told = "the same bit for bit"
    return told + (f" on these values only; on others {other}" if other else "")
