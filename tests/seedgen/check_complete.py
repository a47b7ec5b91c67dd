"""Whether everything that torch offers of the generator's operators is drawn: each parameter, and each dtype of the input.

What torch offers is recorded in seedgen/universe.tsv, which scripts/universe.py asks of torch alone. What is left out on purpose stands,
with the reason, in seedgen/left_out.tsv: the function (or a pattern), what of it, why. What is drawn comes of calls_dump. Anything else
is missing, and so is a reason for something that is drawn, or that torch doesn't offer. Needs no torch.

    check_complete.py PATH/calls_dump [--draws N] [--write FILE]      exits 1 when anything is missing
"""

import argparse
import ast
import collections
import fnmatch
import json
import pathlib
import subprocess
import sys
from typing import NamedTuple

SEEDGEN = pathlib.Path(__file__).parents[2] / "seedgen"
# Calls around an operator's own that are not what it is about: `torch.empty(3).fill_(0)`.
AROUND = {"fill_", "abs", "diagonal", "view", "clone", "contiguous", "double", "long", "to"}


class Parameter(NamedTuple):
    name: str
    kind: str
    by_keyword: bool

    def __str__(self):
        return f"{self.name} ({KINDS[self.kind]})" if self.kind in "TLn" else self.name


KINDS = {"T": "tensor", "L": "tensors", "n": "number"}


class Function(NamedTuple):
    signatures: list
    dtypes: set


def rows(path):
    lines = path.read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")][1:]


def signature_of(text):
    parameters = []
    by_keyword = False
    for word in text.split(" "):
        if word == "*":
            by_keyword = True
            continue
        name, kind = word.rstrip("=").split(":")
        parameters.append(Parameter(name, kind, by_keyword))
    return parameters


def read_universe():
    return {name: Function([signature_of(text) for text in signatures.split(" | ")], set(dtypes.split(" ")) - {"-"})
            for name, signatures, dtypes in rows(SEEDGEN / "universe.tsv")}


def has_tensor(node):
    return any(isinstance(one, ast.Name) and one.id == "a" for one in ast.walk(node))


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def matches(node, kind):
    if is_none(node):
        return True
    tensor = has_tensor(node) and not isinstance(node, (ast.List, ast.Tuple, ast.Starred))
    if kind == "T":
        return tensor
    if kind == "L":
        return has_tensor(node) and not tensor
    if kind == "n":
        return not has_tensor(node) and not isinstance(node, (ast.Tuple, ast.List)) and not isinstance(getattr(node, "value", 0), (str, bool))
    return kind == "?" or not has_tensor(node)


def place(call, receiver, signature):
    """The parameters that a call gives, by one signature; None where it doesn't fit."""
    positions = [one for one in signature if not one.by_keyword]
    given = ([receiver] if receiver is not None else []) + call.args
    if positions and positions[-1].kind in "oL" and (len(given) > len(positions) or positions[-1].name in ("tensors", "operands")):
        # Sizes one by one, or a list of tensors as `*tensors`.
        listed = len(given) == len(positions) and isinstance(given[-1], (ast.Tuple, ast.List))
        given = given if listed else given[:len(positions) - 1] + [ast.Tuple(given[len(positions) - 1:])]
    if len(given) > len(positions):
        return None
    pairs = list(zip(given, positions))
    for keyword in call.keywords:
        named = [one for one in signature if one.name == keyword.arg]
        if not named:
            return None
        pairs.append((keyword.value, named[0]))
    if not all(matches(node, parameter.kind) or parameter.name == "out" for node, parameter in pairs):
        return None
    return {parameter for node, parameter in pairs if not is_none(node)}


def spine(node):
    """The calls of `f(…).g(…)[0].h`, the outermost first."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            yield node
            node = node.func
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Expr)):
            node = node.value
        else:
            return


def name_of(call, universe):
    """The function's name in the universe, and the object of a method."""
    text = ast.unparse(call.func)
    if text in universe:
        return text, None
    if isinstance(call.func, ast.Attribute) and not text.startswith("torch."):
        for room in ("torch", "Tensor"):
            if f"{room}.{call.func.attr}" in universe:
                return f"{room}.{call.func.attr}", call.func.value
    return None, None


def functions_in(op, text, universe):
    """[(function, what it is given)] of a drawn call that are the operator's own."""
    tree = ast.parse(text).body[0]
    calls = list(spine(tree)) if isinstance(tree, ast.Expr) else []
    for place_in, call in enumerate(calls):
        last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if last in AROUND and place_in + 1 < len(calls) and not op.startswith(last):
            continue
        function, receiver = name_of(call, universe)
        if function is None:
            return None
        fitting = [found for found in (place(call, receiver, one) for one in universe[function].signatures) if found is not None]
        return function, set().union(*fitting), bool(fitting)
    return None


class Drawn:
    """What is drawn of each function, and by which operators."""

    def __init__(self, lines, universe):
        self.given = collections.defaultdict(set)
        self.dtypes = collections.defaultdict(set)
        self.functions = {}
        self.unread = []
        for line in lines:
            record = json.loads(line)
            own = self.functions.setdefault(record["op"], set())
            for text in record["calls"]:
                found = functions_in(record["op"], text, universe)
                if found is None:
                    continue
                function, given, fits = found
                own.add(function)
                self.given[function] |= given
                if not fits:
                    self.unread.append((record["op"], text))
            for function in own:
                self.dtypes[function] |= set(record["inputs"] or record["results"])


class LeftOut:
    def __init__(self, universe):
        self.rows = [(function, what, reason) for function, what, reason in rows(SEEDGEN / "left_out.tsv")]
        self.used = set()

    def reason(self, function, what):
        for number, (pattern, its, reason) in enumerate(self.rows):
            if fnmatch.fnmatchcase(function, pattern) and fnmatch.fnmatchcase(what, its):
                self.used.add(number)
                return reason
        return None

    def unused(self):
        return [row for number, row in enumerate(self.rows) if number not in self.used]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--lines", help="what calls_dump printed")
    arguments = parser.parse_args()
    universe = read_universe()
    text = pathlib.Path(arguments.lines).read_text() if arguments.lines else \
        subprocess.run([arguments.dump, str(arguments.draws)], check=True, capture_output=True, text=True).stdout
    drawn = Drawn(text.splitlines(), universe)
    left_out = LeftOut(universe)
    counts = collections.Counter()
    for function in sorted({one for own in drawn.functions.values() for one in own}):
        offered = {str(one): one in drawn.given[function] for signature in universe[function].signatures for one in signature}
        wanted = {**offered, **{dtype: dtype in drawn.dtypes[function] for dtype in universe[function].dtypes}}
        missing = []
        for what, is_drawn in sorted(wanted.items()):
            kind = "dtype" if what in universe[function].dtypes else "parameter"
            if is_drawn:
                counts["drawn", kind] += 1
            elif left_out.reason(function, what):
                counts["left out", kind] += 1
            else:
                counts["missing", kind] += 1
                missing.append(what)
        if missing:
            print(f"{function}: {', '.join(missing)}")
    for op, call in drawn.unread[:40]:
        print(f"UNREAD {op}: {call}")
    for row in left_out.unused():
        print(f"a reason for nothing: {row}")
    print([op for op, own in drawn.functions.items() if not own])
    print(dict(counts))


if __name__ == "__main__":
    main()
