"""The zeros that zero_garbage and zero_garbage_here draw, what these read, and that eager's result stays.

    zeros.py MUTATE_FILTER --seedgen SEEDGEN_DUMP [--programs N] [--steps N] [--seed N] [--sources FILE...]
        steps of each of the two on generated programs, or on files. Prints how many steps have which form, and exits 1 when
        a step changes eager's result or a gradient by more than rounding, also where sums and means add their elements one
        after the other, from the least to the greatest or the other way round; when less than half of the steps of
        zero_garbage_here compare a computed value with what the profile run saw; when more than one in ten of those of
        zero_garbage subtract a value from itself; or when a form is missing.
"""

import argparse
import ast
import collections
import pathlib
import random
import re
import sys
import tempfile

import numpy
import torch
from torch.utils._python_dispatch import TorchDispatchMode

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import exactness  # noqa: E402
from jitprobe_runtime.state import process as state  # noqa: E402
from properties import dumped  # noqa: E402
from walks import Eager, holds  # noqa: E402

NAMES = ("zero_garbage", "zero_garbage_here")
UNIVERSAL = {"sine and logarithm": r"torch\.sin\(.*torch\.log\(", "square written out": r"- 2 \* ", "square": r"\*\* 2|square\(\)",
             "integer bits": r" \^ |& ~| != (.*)\)\.to", "other sign": r"abs\(\)|sigmoid\(\)|torch\.exp\(|-\((.+?) \* \1\)"}


# Constants of zero_garbage_here that a tensor of any size can be compared with.
LARGE = ("total", "drawn again", "seeded bound")


class OneByOne(TorchDispatchMode):
    """Sums and means of floats are added one element after the other, each sum rounded, by their size."""

    def __init__(self, downwards):
        super().__init__()
        self.downwards = downwards

    def __torch_dispatch__(self, function, kinds, arguments=(), keywords=None):
        keywords = keywords or {}
        aten = torch.ops.aten
        if function not in (aten.sum.default, aten.sum.dim_IntList, aten.mean.default, aten.mean.dim):
            return function(*arguments, **keywords)
        tensor = arguments[0]
        dtype = keywords.get("dtype") or tensor.dtype
        axes = arguments[1] if len(arguments) > 1 and arguments[1] else list(range(tensor.dim()))
        if dtype not in (torch.float32, torch.float64) or tensor.is_complex() or tensor.numel() == 0 or not axes:
            return function(*arguments, **keywords)
        axes = [axis % tensor.dim() for axis in axes]
        moved = tensor.detach().to(dtype).movedim(axes, list(range(len(axes)))).flatten(0, len(axes) - 1)
        ordered = numpy.sort(moved.numpy(), axis=0)[:: -1 if self.downwards else 1]
        total = torch.from_numpy(numpy.add.accumulate(ordered, axis=0)[-1, ...].copy())
        if function in (aten.mean.default, aten.mean.dim):
            total = total / moved.shape[0]
        keep = len(arguments) > 2 and arguments[2]
        return total.reshape([1 if axis in axes else size for axis, size in enumerate(tensor.shape)]) if keep else total


def drawn_text(step):
    """The text that a step recorded: a line, or an expression in the place of a read."""
    return re.search(r"'\(\[[^\]]*\] \"(.*)\"\)'$", step, re.DOTALL).group(1)


def is_constant(node):
    """A number, or a tensor that is written out or drawn."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "tensor"
    if is_redrawn(node):
        return True
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return not names or names == {"torch"} and "arange" in ast.unparse(node)


def is_redrawn(node):
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "make_inputs()"


def root(node):
    """The name that an expression is an element, a part or a reduction of; "" for others, and for its sizes."""
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("dim", "size", "numel", "item"):
                return ""
            node = node.func.value
        elif isinstance(node, ast.Attribute) and node.attr == "shape":
            return ""
        elif isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        else:
            return node.id if isinstance(node, ast.Name) else ""


def compared(text):
    """[(name, what it is compared with)]: a "tensor" that is written out, one that is "drawn again", a "bound" or "seeded
    bound" of all elements, the "total" of all elements, or another "number"."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            left, right = node.left, node.right
        elif isinstance(node, ast.Compare):
            left, right = node.left, node.comparators[0]
        else:
            continue
        for live, constant in ((left, right), (right, left)):
            if root(live) and root(live) != "torch" and is_constant(constant):
                found.append((root(live), kind_of(node, live, constant)))
    return found


def kind_of(node, live, constant):
    if isinstance(constant, ast.Call):
        return "tensor"
    text = ast.unparse(live)
    if is_redrawn(constant):
        return "drawn again"
    if "arange" in ast.unparse(constant):
        return "seeded bound"
    if re.search(r"\.(sum|mean)\(", text) and "flatten()[" not in text:
        return "total"
    return "bound" if "keepdim" in text or "clamp" in text or isinstance(node, ast.Compare) else "number"


def form_here(text, arguments):
    """What a step of zero_garbage_here reads."""
    names = compared(text)
    if not names:
        return "a size"
    name, kind = names[0]
    return f"{'an argument' if name in arguments else 'a computed value'}, {kind}"


def form_of(text):
    if re.search(r"\(([^()]*(?:\([^()]*\)[^()]*)*) - \1\)(?! \*\* 2)", text):
        return "itself subtracted"
    return next((name for name, pattern in UNIVERSAL.items() if re.search(pattern, text)), "other")


def parameters(source):
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == "program":
            return {one.arg for one in node.args.args}
    return set()


class Steps:
    def __init__(self, engine, eager, show):
        self.engine, self.eager, self.show = engine, eager, show
        self.forms = {name: collections.Counter() for name in NAMES}
        self.wrong = []
        self.reordered, self.summed = [], 0

    def take(self, source, rng, steps):
        watched = self.engine.ask(load=source)["watched"]
        before, facts = self.eager.run(source, watched)
        self.reordered = [self.one_by_one(source, watched, downwards) for downwards in (False, True)]
        if "raised" in before or exactness.exceptions(before):
            return
        sites = self.engine.ask(sites=facts)["sites"]
        self.engine.ask(moved=self.eager.moved(source, watched))
        for name in NAMES:
            places = [site for site in sites if site[0] == name]
            for site in rng.sample(places, min(steps, len(places))):
                made = self.engine.ask(apply=[name, site[2], site[3]], seed=rng.getrandbits(40))
                if made["source"]:
                    self.look_at(name, made, before, site, parameters(source))

    def look_at(self, name, made, before, site, arguments):
        text = drawn_text(made["step"])
        form = form_here(text, arguments) if name == "zero_garbage_here" else form_of(text)
        self.forms[name][form] += 1
        if self.show:
            print(f"{name} [{form}] {text}")
        after, _ = self.eager.run(made["source"], made["watched"])
        if holds(before, after, site[1]):
            self.wrong.append(made["step"])
        for downwards, seen in enumerate(self.reordered if re.search(r"\.(sum|mean)\(", text) else ()):
            self.summed += 1
            if holds(seen, self.one_by_one(made["source"], made["watched"], downwards), site[1]):
                self.wrong.append(f"one by one: {made['step']}")

    def one_by_one(self, source, watched, downwards):
        return self.eager.run(source, watched, lambda: OneByOne(bool(downwards)))[0]

    def good(self):
        for name in NAMES:
            print(f"{name}: {self.forms[name].total()} steps:",
                  ", ".join(f"{form} {count}" for form, count in self.forms[name].most_common()))
        print(f"{self.summed} runs added one by one")
        print(f"{len(self.wrong)} changed the result", *self.wrong, sep="\n  ")
        universal, here = (self.forms[name] for name in NAMES)
        values = sum(count for form, count in here.items() if form.startswith("a computed value"))
        missing = [form for form in UNIVERSAL if form != "integer bits" and not universal[form]]
        missing += [kind for kind in LARGE if not any(form.endswith(f", {kind}") for form in here)]
        checks = {"more than a tenth subtract a value from itself": universal["itself subtracted"] * 10 > universal.total(),
                  "less than half read a computed value": values * 2 < here.total(), f"no {', '.join(missing)}": missing,
                  "a result changed": self.wrong}
        for sentence, bad in checks.items():
            if bad:
                print("BAD:", sentence)
        return not any(checks.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter")
    parser.add_argument("--seedgen")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7000)
    parser.add_argument("--sources", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    state.take_baseline()
    sources = [path.read_text(encoding="utf-8") for path in options.sources]
    if not sources:
        sources = [source for _, source in dumped([options.seedgen, str(options.seed), str(options.programs), "12"])]
    with tempfile.TemporaryDirectory() as folder:
        steps = Steps(exactness.Filter(options.filter), Eager(pathlib.Path(folder)), options.show)
        for number, source in enumerate(sources):
            steps.take(source, random.Random(f"{options.seed} {number}"), options.steps)
    return 0 if steps.good() else 1


if __name__ == "__main__":
    sys.exit(main())
