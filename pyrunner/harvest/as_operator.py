"""A harvested call as an operator of the generator: its text, the arguments that it had, what it gave.

The call of a graph gets the arguments that were recorded, so its results are those that were measured. One that only
moves elements (cat, reshape, roll, gather of fixed places) takes any others as well: `moved` finds that out by running
it on elements that are all different, and asking where each element of the results comes from. Others take those of which
`live` knows where the results lie.
"""

import random

import torch

from . import CannotWrite, check, live, text, tree

MOST_ARGUMENTS = 10
MOST_RANK = 5
MOST_ELEMENTS = 8192
DTYPES = {getattr(torch, name): name for name in (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
    "complex128")}
# Elements of arguments that are tried are at most BOUND, and so many that the dtype holds all of them.
BOUND = 256
MOST_TRIED = {torch.bfloat16: 120, torch.float16: 400}
MOST_TRIED_ELSE = 900


def _leaves(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def _range(tensor):
    """(least, largest) element; of complex ones over both parts. None where one is not finite."""
    if tensor.numel() == 0:
        return 0, 0
    plain = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    if plain.is_floating_point():
        if not bool(plain.isfinite().all()):
            return None
        plain = plain.double()
    elif plain.dtype == torch.bool:
        plain = plain.long()
    return plain.min().item(), plain.max().item()


def _told(tensor):
    """A tensor's type and range, or None where the generator has no such values."""
    if not isinstance(tensor, torch.Tensor) or type(tensor) is not torch.Tensor or tensor.layout is not torch.strided:
        return None
    if tensor.dtype not in DTYPES or tensor.dim() > MOST_RANK or tensor.numel() > MOST_ELEMENTS:
        return None
    if tensor.is_conj() or tensor.is_neg() or (ends := _range(tensor)) is None:
        return None
    return {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "strides": list(tensor.stride()),
            "low": ends[0], "high": ends[1], "overlaps": torch._debug_has_internal_overlap(tensor) != 0}


def _text(instance):
    """The call with $0, $1 … for its arguments; None of what a graph can't hold."""
    call = instance["calls"][0]
    plain = text.Writer(len(instance["tensors"])).call(call)
    if not isinstance(plain, str) or "$" in plain:
        return None
    return text.Writer(len(instance["tensors"]), "$").call({**call}).replace("#", "##")


def _given(instance):
    """The texts of the arguments, without gradients; None where they share memory or are drawn."""
    tensors, storages = instance["tensors"], instance["storages"]
    if len({one["storage"] for one in tensors}) < len(tensors) or len(tensors) > MOST_ARGUMENTS:
        return None
    if any("values" not in one for one in storages) or any(one["conj"] for one in tensors):
        return None
    return [text.alone_text(storages[one["storage"]], one) for one in tensors]


def _sources(results, arguments):
    """Of each element of the results the number of the equal element of the arguments, or None."""
    places = {value: number for number, value in enumerate(arguments)}
    return [places.get(value) for value in results]


def _elements(tensors):
    return [value for one in tensors for value in one.detach().reshape(-1).tolist()]


def _fillings(count):
    """Elements for the free arguments, all different: of both signs, below and above 1, and up to BOUND."""
    dice = random.Random(count)
    whole = list(range(3, count + 3))
    step = 1 if count <= MOST_TRIED[torch.bfloat16] else 0.25
    far = [BOUND - step * number for number in range(count)]
    tries = [whole, [-one for one in whole], [one * (-1) ** one for one in whole],
             [one / 256 * (-1) ** (one // 2) for one in whole], far, [-one for one in far]]
    for one in tries:
        dice.shuffle(one)
    return tries


def _filled(arguments, free, elements):
    made, at = [], 0
    for number, one in enumerate(arguments):
        if number not in free:
            made.append(one.detach().clone() if one.is_contiguous() else one.detach())
            continue
        fresh = torch.tensor(elements[at : at + one.numel()], dtype=one.dtype)
        at += one.numel()
        made.append(torch.empty_strided(one.shape, one.stride(), dtype=one.dtype).copy_(fresh.view(one.shape)))
    return made


def moved(program, arguments, results):
    """The free arguments of a call that gives elements of theirs and constants, wherever they lie below BOUND; [] when
    it is no such call."""
    free = [number for number, one in enumerate(arguments)
            if one.is_floating_point() and torch._debug_has_internal_overlap(one) == 0]
    count = sum(arguments[number].numel() for number in free)
    dtypes = {one.dtype for one in [*results, *(arguments[number] for number in free)]}
    if len(dtypes) != 1 or not 0 < count <= MOST_TRIED.get(results[0].dtype, MOST_TRIED_ELSE):
        return []
    seen, before = [], []
    for elements in [*_fillings(count), [0.0] * count]:
        given = _filled(arguments, free, elements)
        out = _leaves(program(*given))
        if [(one.shape, one.stride(), one.dtype) for one in out] != [(one.shape, one.stride(), one.dtype) for one in results]:
            return []
        before.append(_elements([given[number] for number in free]))
        seen.append(_elements(out))
    return free if _same_places(before, seen, [one.numel() for one in results]) else []


def _same_places(before, seen, sizes):
    sources = _sources(seen[0], before[0])
    if not sources:
        return False
    for at, source in enumerate(sources):
        if any((one[at] if source is None else given[source]) != (seen[0][at] if source is None else out[at])
               for given, out, one in zip(before, seen, seen)):
            return False
    start = 0
    for size in sizes:  # a result of constants alone says nothing about other elements
        if size and all(source is None for source in sources[start : start + size]):
            return False
        start += size
    return True


def takes_gradients(program, arguments, free):
    """Whether the results require gradients whichever of the free arguments does, and those are finite."""
    for number in free:
        given = [one.detach().clone() if at in free and one.is_contiguous() else one.detach()
                 for at, one in enumerate(arguments)]
        given[number].requires_grad_()
        out = _leaves(program(*given))
        if not all(one.requires_grad for one in out):
            return False
        torch.autograd.backward(out, [torch.ones_like(one) for one in out])
        if given[number].grad is None or not bool(given[number].grad.isfinite().all()):
            return False
    return True


def _elsewhere(tensor, shift):
    """The same tensor in memory that starts so many bytes further."""
    if tensor.numel() == 0 or torch._debug_has_internal_overlap(tensor) != 0:
        return tensor
    count = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
    room = torch.frombuffer(bytearray(count * tensor.element_size() + shift), dtype=tensor.dtype, count=count, offset=shift)
    return room.as_strided(tensor.shape, tensor.stride()).copy_(tensor)


def steady(program, arguments, digest):
    """Whether the results are those, bit for bit, wherever the arguments lie: some of LAPACK's are not."""
    for shift in (0, 16, 32, 48):
        for _ in range(2):
            if check.digest(program(*(_elsewhere(one, shift) for one in arguments))) != digest:
                return False
    return True


def _memory(results, arguments):
    """Of each result the argument whose memory it shares, or -1; None where results share memory of their own."""
    owners = {tree.storage_of(one): number for number, one in enumerate(arguments)}
    own = [tree.storage_of(one) for one in results if tree.storage_of(one) not in owners]
    return None if len(set(own)) < len(own) else [owners.get(tree.storage_of(one), -1) for one in results]


def call_of(instance, source):
    """The row of operators.json, without the operator; None of an instance that is no single call with such arguments
    and results. `source` is its program, which eager takes."""
    if instance.get("module") or len(instance["calls"]) != 1 or text.writes(instance["calls"][0]):
        return None
    if instance["result"] != {"is": "result", "call": 0, "path": []}:
        return None
    written, given = _text(instance), _given(instance)
    if written is None or given is None:
        return None
    program = check.executed(source).program
    try:
        return _measured(program, written, given)
    except Exception:  # eager refuses it without gradients, or with other elements
        return None


def _measured(program, written, given):
    arguments = [eval(one, {"torch": torch}) for one in given]  # texts of ours
    digest = check.digest(arguments)
    returned = program(*arguments)
    results = _leaves(returned)
    told = [_told(one) for one in results]
    shown = [_told(one) for one in arguments]
    of = _memory(results, arguments) if results and None not in told else None
    if of is None or None in shown or len(results) > MOST_ARGUMENTS or check.digest(arguments) != digest:
        return None
    if not steady(program, arguments, check.digest(returned)):
        return None
    free = _free(program, arguments, results)
    several = isinstance(returned, (list, tuple))
    known = None if free else live.found_for(program, arguments, results, [one["overlaps"] for one in shown])
    free = known["free"] if known else free
    gradients = known["gradients"] if known else bool(free) and takes_gradients(program, arguments, free)
    return {"text": written, "several": several, "bound": BOUND, "gradients": gradients,
            "levels": known["levels"] if known else [], "exact": bool(known and known["exact"]),
            "arguments": [{"text": text.wrapped(one, "        ").strip(), "free": number in free, **tensor}
                          for number, (one, tensor) in enumerate(zip(given, shown))],
            "results": [{"of": owner, **tensor} for owner, tensor in zip(of, told)]}


def _free(program, arguments, results):
    try:
        return moved(program, arguments, results)
    except Exception:  # eager refuses other elements
        return []
