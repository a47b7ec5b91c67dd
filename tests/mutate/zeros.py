"""The zeros that zero_garbage and zero_garbage_here draw, what these read, and that eager's result stays.

    zeros.py MUTATE_FILTER --seedgen SEEDGEN_DUMP [--programs N] [--steps N] [--seed N] [--sources FILE...]
        steps of each of the two on generated programs, or on files. Prints how many steps have which form, and exits 1 when
        a step changes eager's result or a gradient by more than rounding, also where sums and means add their elements one
        after the other, from the least to the greatest or the other way round; when less than half of the steps of
        zero_garbage_here compare a value that the program computed with what the profile run saw, or one has a form that
        zero_reads.py doesn't know; when more than one in ten of those of zero_garbage subtract a value from itself; or when
        a form is missing.
    zeros.py MUTATE_FILTER --draws N [--sources FILE...] [--seedgen SEEDGEN_DUMP]
        N steps of each site, which are counted and not run: what is read on the files, one by one and together.
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
import zero_reads  # noqa: E402
from properties import dumped  # noqa: E402
from walks import Eager, holds  # noqa: E402

NAMES = ("zero_garbage", "zero_garbage_here")
UNIVERSAL = {"sine and logarithm": r"torch\.sin\(.*torch\.log\(", "square written out": r"- 2 \* ", "square": r"\*\* 2|square\(\)",
             "integer bits": r" \^ |& ~| != (.*)\)\.to", "other sign": r"abs\(\)|sigmoid\(\)|torch\.exp\(|-\((.+?) \* \1\)"}


# Constants of zero_garbage_here that a tensor of any size can be compared with.
LARGE = ("total", "drawn again", "seeded bound")
# What the program computed. A method's argument may be one of the entry's, handed on.
COMPUTED = ("a computed value", "a method's argument")
UNKNOWN = "not understood"


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


def form_here(text, source, line, path):
    """What a step of zero_garbage_here reads at that line, after it or (with a path of a read) in it, and what it is
    compared with."""
    read = zero_reads.read_of(text)
    if not read:
        return UNKNOWN
    if not read.name:
        return "a size"
    last = line - 1 if path.startswith("read") else line
    return f"{'an argument' if read.kind == 'drawn again' else holder(ast.parse(source), read.name, line, last)}, {read.kind}"


def holder(tree, name, line, last):
    """What the name holds in the function at that line, as it was bound up to the last one."""
    if name == "self":
        return "a parameter"
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.lineno <= line <= node.end_lineno]
    function = max(functions, key=lambda node: node.lineno)
    bound = {node.id for node in ast.walk(function)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno <= last}
    if name in bound or name not in {one.arg for one in function.args.args}:
        return "a computed value"
    return "an argument" if function in entries(tree) else "a method's argument"


def entries(tree):
    """`program`, or the `forward` of the module that it is an instance of."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    made = [node.value.func.id for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "program"
            and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)]
    bodies = [tree.body] + [classes[name].body for name in made if name in classes]
    return [node for body in bodies for node in body if isinstance(node, ast.FunctionDef) and node.name in ("program", "forward")]


def form_of(text):
    if re.search(r"\(([^()]*(?:\([^()]*\)[^()]*)*) - \1\)(?! \*\* 2)", text):
        return "itself subtracted"
    return next((name for name, pattern in UNIVERSAL.items() if re.search(pattern, text)), "other")


def shares(forms):
    """How many steps of zero_garbage_here read what, without what it is compared with."""
    read = collections.Counter()
    for form, count in forms.items():
        read[form.partition(",")[0]] += count
    return ", ".join(f"{what} {count}" for what, count in read.most_common())


class Steps:
    def __init__(self, engine, eager, options):
        self.engine, self.eager, self.options = engine, eager, options
        self.forms = {name: collections.Counter() for name in NAMES}
        self.wrong = []
        self.reordered, self.summed = [], 0

    def take(self, source, rng):
        watched = self.engine.ask(load=source)["watched"]
        before, facts = self.eager.run(source, watched)
        if not self.options.draws:
            self.reordered = [self.one_by_one(source, watched, downwards) for downwards in (False, True)]
        if "raised" in before or exactness.exceptions(before):
            return
        sites = self.engine.ask(sites=facts)["sites"]
        lines = dict(zip(watched["ids"].split(), watched["places"][::2]))
        self.engine.ask(moved=self.eager.moved(source, watched))
        for name in NAMES:
            places = [site for site in sites if site[0] == name]
            for site in places * self.options.draws or rng.sample(places, min(self.options.steps, len(places))):
                made = self.engine.ask(apply=[name, site[2], site[3]], seed=rng.getrandbits(40))
                if made["source"]:
                    self.look_at(name, made, before, site, source, lines[site[2]])

    def look_at(self, name, made, before, site, source, line):
        text = drawn_text(made["step"])
        form = form_here(text, source, line, site[3]) if name == "zero_garbage_here" else form_of(text)
        self.forms[name][form] += 1
        if self.options.show:
            print(f"{name} [{form}] {text}")
        if self.options.draws:
            return
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
        values = sum(count for form, count in here.items() if form.startswith(COMPUTED))
        print(f"{values} of {here.total()} read what the program computed: {shares(here)}")
        missing = [form for form in UNIVERSAL if form != "integer bits" and not universal[form]]
        missing += [kind for kind in LARGE if not any(form.endswith(f", {kind}") for form in here)]
        checks = {"more than a tenth subtract a value from itself": universal["itself subtracted"] * 10 > universal.total(),
                  "less than half read a computed value": values * 2 < here.total(), f"no {', '.join(missing)}": missing,
                  "a step was not understood": here[UNKNOWN], "a result changed": self.wrong}
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
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7000)
    parser.add_argument("--sources", nargs="*", type=pathlib.Path, default=[])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    state.take_baseline()
    sources = [(path.name, path.read_text(encoding="utf-8")) for path in options.sources]
    if not sources:
        sources = dumped([options.seedgen, str(options.seed), str(options.programs), "12"])
    with tempfile.TemporaryDirectory() as folder:
        steps = Steps(exactness.Filter(options.filter), Eager(pathlib.Path(folder)), options)
        for number, (name, source) in enumerate(sources):
            before = collections.Counter(steps.forms["zero_garbage_here"])
            steps.take(source, random.Random(f"{options.seed} {number}"))
            if options.sources:
                print(f"{name}: {shares(steps.forms['zero_garbage_here'] - before)}")
    return 0 if steps.good() else 1


if __name__ == "__main__":
    sys.exit(main())
