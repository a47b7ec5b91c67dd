"""Operators that may stand for one another (families of core/operators.tsv), against eager torch, by the mutation that swaps them.

    families.py MUTATE_FILTER TABLE_PIPE

In small programs around each name of a family, swap_operator must put every other name of it at least once, and what it
puts must run in eager and give the same dtypes and shapes. Exits 1 when a name never comes or when a swap does not hold.
JITPROBE_WORKER must name the worker, as ./dev sets it.
"""

import argparse
import pathlib
import sys
import tempfile
import warnings

import exactness
import forms
import tables

TYPES = {"float32": "t.to(torch.float32) / 2", "int64": "t", "bool": "t > 0", "complex64": "t.to(torch.complex64)"}
PROGRAM = """import torch
import torch.nn.functional as F


def make_inputs():
    def made(*shape):
        count = 1
        for size in shape:
            count *= size
        t = (torch.arange(count) % 5 + 1).reshape(shape)
        return {type}
    return ({inputs})


def program(x, y, z):
    i = torch.tensor([1, 0])
    m = torch.zeros(x.shape, dtype=torch.bool)
    {statement}
    return {result}
"""
SEEDS = 400
# Those of swap_operator itself.
SYMBOLS = ["+ - *", "/ *", "// %", "& | ^", "== !=", "< <= > >=", "+= -= *=", "&= |= ^=", "//= %="]


def programs(statements):
    for statement, result, shapes in statements:
        inputs = ", ".join(f"made({', '.join(map(str, shape))})" for shape in (list(shapes) + [(2, 3)] * 3)[:3])
        for type in TYPES.values():
            yield PROGRAM.format(type=type, inputs=inputs, statement=statement, result=result)


def of_symbol(symbol):
    if symbol.endswith("=") and symbol not in ("==", "!=", "<=", ">="):
        return [(f"x {symbol} y", "x", [(2, 3), (2, 3)]), (f"x {symbol} 2", "x", [(2, 3)])]
    return [(f"r = x {symbol} y", "r", [(2, 3), (2, 3)]), (f"r = x {symbol} 2", "r", [(2, 3)])]


def of_function(function, name, operands):
    rules = {1: 1, 2: 2, 3: 3}
    texts = [(text, shapes) for count in (rules_of.get(name), rules.get(operands), 2, 1) if count
             for text, shapes in forms.forms(name, count)]
    if operands == 9:
        texts = [("(2, 3)", [(2, 3)])]
    made = []
    for arguments, shapes in texts[:12]:
        text = forms.expression(function, name, arguments)
        if text:
            made.append((f"r = {text}", "r", shapes))
    return made


def of_foreach(name):
    return [(f"r = torch._foreach_{name}([x, y])", "r", [(2, 3), (2, 3)]),
            (f"r = torch._foreach_{name}([x, y], [y, x])", "r", [(2, 3), (2, 3)])]


rules_of = {}


def kinds(seen):
    """Types and shapes of what the program's calls gave."""
    def plain(value):
        if isinstance(value, list) and len(value) == 2 and isinstance(value[1], dict) and "dtype" in value[1]:
            return value[1]["dtype"], tuple(value[1]["shape"])
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items() if key in ("items", "output", "kind")}
        return [plain(item) for item in value] if isinstance(value, list) else value

    return [plain(call.get("output")) for call in seen["calls"]]


class Swaps:
    def __init__(self, engine, folder):
        self.engine = engine
        self.folder = folder
        self.wrong = []
        self.of_others = set()

    def swapped(self, source, own):
        """What swap_operator puts in the place of `own` in this program."""
        watched = self.engine.ask(load=source).get("watched")
        if watched is None:
            return set()
        before, facts = exactness.run(source, watched, self.folder)
        if "raised" in before or any(exactness.exceptions(before)):
            return set()
        sites = [site for site in self.engine.ask(sites=facts)["sites"] if site[0] == "swap_operator"]
        found = set()
        for _, _, statement, path, *_ in sites:
            stale = 0
            for seed in range(SEEDS):
                made = self.engine.ask(apply=["swap_operator", statement, path], seed=seed, replay=False)
                if made["source"] is None:
                    break
                name = made["step"].split("'")[-2]
                if name in found:
                    stale += 1
                    if stale > 60:
                        break
                    continue
                stale = 0
                found.add(name)
                after, _ = exactness.run(made["source"], made["watched"], self.folder)
                if "raised" in after or any(exactness.exceptions(after)):
                    self.wrong.append(f"{own} -> {name} is refused by eager in:\n{made['source']}")
                elif kinds(after) != kinds(before):
                    self.wrong.append(f"{own} -> {name} gives {kinds(after)}, not {kinds(before)} in:\n{made['source']}")
        return found

    def family(self, title, names, statements):
        """Every name must come in the place of another."""
        # A name that only such names could give way to as have another family, which comes first, is never asked for.
        missing = {name for name in names if any(other not in self.of_others for other in names if other != name)}
        self.of_others.update(names if title == "symbols" else [])
        for own in names[:3]:
            for source in programs(statements(own)):
                if not missing - {own}:
                    break
                for name in self.swapped(source, own):
                    missing -= {name, name.removeprefix("_foreach_")}
        if missing:
            self.wrong.append(f"{title} {names}: {sorted(missing)} never come")
        return not missing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter")
    parser.add_argument("pipe")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    known = tables.Pipe(options.pipe).ask(tables=True)
    rules_of.update(known["rules"])
    exactness.state.take_baseline()
    rows = good = 0
    with tempfile.TemporaryDirectory() as temporary:
        swaps = Swaps(exactness.Filter(options.filter), pathlib.Path(temporary))
        families = [("symbols", names.split(" "), of_symbol) for names in SYMBOLS]
        families += [("functions", names, lambda name, operands=operands: of_function("torch." + name if hasattr(exactness.torch, name) else "", name, operands))
                     for operands, names in known["functions"]]
        for namespace, of_namespace in known["modules"].items():
            families += [(namespace, names, lambda name, operands=operands, namespace=namespace: of_function(f"torch.{namespace}.{name}", name, operands))
                         for operands, names in of_namespace]
        families += [("foreach", names, of_foreach) for _, names in known["foreach"]]
        for title, names, statements in families:
            rows += 1
            good += swaps.family(title, names, statements)
        print("\n".join(swaps.wrong))
    print(f"{good} of {rows} families give every name; {len(swaps.wrong)} complaints")
    return 1 if swaps.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
