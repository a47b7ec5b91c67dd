"""A recorded run as the text of a program file. What tensors hold:

    up to WRITTEN elements       written out
    others                       packed (zlib, base64), while a tensor takes at most PACKED bytes and all TOGETHER
    floating ones beyond that    drawn with the mean, the deviation and the range of the file's; the rest, evenly in range
"""

import base64
import zlib

import torch

from harvest import text

WRITTEN, PACKED, TOGETHER = 64, 16_000, 128_000
_NARROW = {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"}


def _uniform(elements):
    """Whether a plain tensor holds one number many times over."""
    return elements.numel() > 4 and not elements.is_complex() and bool((elements == elements[0]).all())


def _packed_form(elements, dtype):
    if _uniform(elements):
        return f"torch.full({{}}, {text.element_text(elements[0].item(), dtype)}, dtype=torch.{dtype})"
    data = base64.b64encode(zlib.compress(raw_bytes(elements), 9)).decode()
    return (f'torch.frombuffer(bytearray(zlib.decompress(base64.b64decode("{data}"))), dtype=torch.{dtype})'
            ".reshape({})")


def raw_bytes(elements):
    """The memory of a plain tensor."""
    return bytes(elements.contiguous().view(torch.uint8).flatten().tolist()) if elements.numel() else b""


def _drawn_form(elements, dtype):
    """None where the range alone has to do."""
    if not elements.is_floating_point():
        return None
    finite = elements.double()
    finite = finite[torch.isfinite(finite)]
    mean, deviation, low, high = ([finite.mean().item(), finite.std().item(), finite.min().item(), finite.max().item()]
                                  if finite.numel() > 1 else [0.0] * 4)
    numbers = [text.float_text(float(f"{one:.4g}")) for one in (mean, deviation)]
    bounds = [text.float_text(one, dtype) for one in (low, high)]
    wide = "float32" if dtype in _NARROW else dtype
    form = (f"torch.empty({{}}, dtype=torch.{wide}).normal_({numbers[0]}, {numbers[1]}, generator=g)"
            f".clamp_({bounds[0]}, {bounds[1]})")
    return form + (f".to(torch.{dtype})" if wide != dtype else "")


def settle(storages):
    """Decides how each storage is made; gives the numbers of those that are drawn. Small ones come first."""
    drawn, together = set(), 0
    for at in sorted(range(len(storages)), key=lambda at: text.length(storages[at])):
        storage = storages[at]
        elements = storage.pop("elements", None)
        if elements is None or "values" in storage and not _uniform(elements):
            continue
        storage["length"] = elements.numel()
        storage.pop("values", None)
        form = _packed_form(elements, storage["dtype"])
        if len(form) <= PACKED * 4 // 3 and together + len(form) <= TOGETHER:
            storage["form"] = form
            together += len(form)
            continue
        drawn.add(at)
        if form := _drawn_form(elements, storage["dtype"]):
            storage["form"] = form
    return drawn


class Writer(text.Writer):
    """Each result has a name of its own, those of a call with several too."""

    def __init__(self, arguments, calls):
        super().__init__(arguments)
        self.named = []
        number = arguments
        for call in calls:
            count = call.get("results", 1)
            self.named.append([f"{self.prefix}{number + i}" for i in range(count)])
            number += count
        self.several = ["results" in call for call in calls]

    def target(self, call):
        return ", ".join(self.named[call]) + ("," if self.several[call] and len(self.named[call]) == 1 else "")

    def _result(self, tree):
        path = tree["path"]
        if self.several[tree["call"]] and path:
            return self.named[tree["call"]][path[0]] + "".join(f"[{step!r}]" for step in path[1:])
        return self.named[tree["call"]][0] + "".join(f"[{step!r}]" for step in path)


def _statements(calls, writer):
    lines, gradients = [], True
    for number, call in enumerate(calls):
        if gradients and not call["gradients"]:
            lines.append("    with torch.no_grad():")
        gradients = call["gradients"]
        indent = "    " if gradients else "        "
        written = writer.call(call)
        target, value = written if isinstance(written, tuple) else (writer.target(number), written)
        lines.append(f"{indent}{target} = {value}")
    return lines


def _folded(opening, items, closing):
    """A line of names, over several where it is long."""
    lines, line = [], opening
    for number, item in enumerate(items):
        piece = item + (", " if number + 1 < len(items) else "")
        if len(line + piece) > text.WIDTH:
            lines.append(line.rstrip())
            line = "    " + " " * (len(opening) - len(opening.lstrip()))
        line += piece
    return [*lines, line + closing]


def head(original, instance, drawn):
    lines = [f"# {original.title}", *[f"# {note}" for note in original.notes]]
    like = [f"v{at}" for at, tensor in enumerate(instance["tensors"]) if tensor["storage"] in drawn]
    if like:
        lines += _folded("# Drawn with the mean, deviation and range of the file's, as they are large: ", like, ".")
        lines = [line if line.startswith("#") else f"#{line}" for line in lines]
    return lines


def program_text(original, instance):
    """The program file of a recorded run."""
    drawn = instance["drawn"] = settle(instance["storages"])
    tensors, calls = instance["tensors"], instance["calls"]
    writer = Writer(len(tensors), calls)
    names = [f"v{number}" for number in range(len(tensors))]
    making = text.tensor_lines(instance["storages"], tensors, "v")
    lines = head(original, instance, drawn)
    packed = any("base64." in line for line in making)
    lines += ["import base64", "import zlib", "", "import torch"] if packed else ["import torch"]
    if original.options:
        lines += ["", f"COMPILE_OPTIONS = {original.options!r}"]
    lines += ["", "", "def make_inputs():", *making]
    lines += _folded("    return (", names, ",)" if len(names) == 1 else ")")
    lines += ["", "", *_folded("def program(", names, "):"), *_statements(calls, writer)]
    lines += [f"    return {writer.text(instance['result'])}"]
    return "\n".join(lines) + "\n"
