"""Whether everything that torch offers of the generator's operators is drawn: each parameter, and each dtype of the input.

What torch offers is recorded in seedgen/universe.tsv, which scripts/universe.py asks of torch alone. What is left out on purpose stands,
with the reason, in seedgen/left_out.tsv: the function (or a pattern), what of it, why. What is drawn comes of calls_dump. Anything else
is missing: a parameter, a dtype, a whole function without an operator, an operator whose function isn't known. So is a reason for
something that is drawn, or that torch doesn't offer. Needs no torch.

    check_complete.py PATH/calls_dump [--draws N]     exits 1 when anything is missing, or docs/complete.md is not what this finds
    check_complete.py PATH/calls_dump --write         writes docs/complete.md
"""

import argparse
import ast
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parents[2]
SEEDGEN = ROOT / "seedgen"
PAGE = ROOT / "docs" / "complete.md"
# Calls around an operator's own that are not what it is about: `torch.empty(3).fill_(0)`.
AROUND = {"fill_", "abs", "diagonal", "view", "clone", "contiguous", "double", "long", "to"}

# Casts that are named after their dtype. Torch has no schema of them: they are `to` with that dtype.
CASTS = ("bfloat16", "bool", "byte", "cdouble", "cfloat", "char", "double", "float", "half", "int", "long", "short")
# What has no operator for a reason that left_out.tsv needn't have.
IN_PLACE = "in place: its other form is drawn"
NAMESAKE = "its namesake in another namespace is drawn"

# The operand whose dtype the database means, where it is not the first.
DTYPED_BY = {"torch.where": 1, "torch.nn.functional.embedding": 1, "torch.nn.functional.embedding_bag": 1}


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


def functions_on_page():
    """{operator: functions of torch that it draws}, as docs/complete.md says."""
    found = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", PAGE.read_text(), re.MULTILINE)
    return {op: re.findall(r"`([^`]+)`", names) for op, names in found}


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


def with_casts(universe):
    cast = Function([signature_of("input:T * memory_format:n=")], universe["Tensor.to"].dtypes)
    return universe | {f"Tensor.{name}": cast for name in CASTS}


def has_tensor(node):
    """Reads a value, or makes a tensor; but for what a tensor says of itself."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("storage_offset"):
        return False
    makes = isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.tensor", "torch.arange", "torch.zeros", "torch.ones")
    return makes or isinstance(node, ast.Name) and node.id == "a" or any(map(has_tensor, ast.iter_child_nodes(node)))


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
        return not has_tensor(node) and not isinstance(node, (ast.Tuple, ast.List)) and not isinstance(getattr(node, "value", 0), str)
    return kind == "?" or not has_tensor(node)


def place(call, receiver, signature):
    """The parameters that a call gives, by one signature; None where it doesn't fit."""
    positions = [one for one in signature if not one.by_keyword]
    pairs = []
    if receiver is not None:  # of torch.polygamma(n, x) the second
        own = next((one for one in positions if one.name == "input"), positions[0] if positions else None)
        positions = [one for one in positions if one is not own]
        pairs.append((receiver, own))
    given = call.args
    if positions and positions[-1].kind in "oL" and (len(given) > len(positions) or positions[-1].name in ("tensors", "operands")):
        # Sizes one by one, or a list of tensors as `*tensors`.
        listed = len(given) == len(positions) and isinstance(given[-1], (ast.Tuple, ast.List))
        given = given if listed else given[:len(positions) - 1] + [ast.Tuple(given[len(positions) - 1:])]
    if len(given) > len(positions):
        return None
    pairs += zip(given, positions)
    for keyword in call.keywords:
        if keyword.arg == "out" and all(one.name != "out" for one in signature):
            continue  # of another overload: numbers may stand in the place of tensors
        named = [one for one in signature if one.name == keyword.arg]
        if not named:
            return None
        pairs.append((keyword.value, named[0]))
    if not all(matches(node, parameter.kind) for node, parameter in pairs):
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
        for namespace in ("torch", "Tensor"):
            if f"{namespace}.{call.func.attr}" in universe:
                return f"{namespace}.{call.func.attr}", call.func.value
    return None, None


def inside(call):
    """The call whose results this one takes apart: qr of `torch.matmul(*torch.qr(x))`."""
    taken = [one.value for one in call.args if isinstance(one, ast.Starred) and not isinstance(one.value, ast.Name)]
    return next(spine(taken[0]), None) if taken else None


def functions_in(op, text, universe):
    """[(function, what it is given)] of a drawn call that are the operator's own."""
    tree = ast.parse(text).body[0]
    calls = list(spine(tree)) if isinstance(tree, ast.Expr) else []
    for place_in, call in enumerate(calls):
        call = inside(call) or call
        last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if last in AROUND and place_in + 1 < len(calls) and not op.startswith(last):
            continue
        function, receiver = name_of(call, universe)
        if function is None:
            return None
        signatures = universe[function].signatures
        fitting = [found for found in (place(call, receiver, one) for one in signatures) if found is not None]
        given = set().union(*fitting)
        if any(keyword.arg == "out" for keyword in call.keywords):
            given |= {one for signature in signatures for one in signature if one.name == "out"}
        return function, given, bool(fitting)
    return None


class Drawn:
    """What is drawn of each function, and by which operators."""

    def __init__(self, lines, universe):
        self.given = collections.defaultdict(set)
        self.dtypes = collections.defaultdict(set)
        self.functions = {}
        self.unread = []
        for record in map(json.loads, lines):
            own = self.functions.setdefault(record["op"], set())
            for text in record["calls"]:
                found = functions_in(record["op"], text, universe)
                if found is None:
                    continue
                function, given, fits = found
                own.add(function)
                self.given[function] |= {str(one) for one in given}
                if not fits:
                    self.unread.append(f"{record['op']}: {text}")
            for function in own:
                operands = record["operands"]
                at = DTYPED_BY.get(function, 0)
                self.dtypes[function] |= set(operands[at] if at < len(operands) else record["results"])


def matches_one(name, patterns):
    return any(fnmatch.fnmatchcase(name, one) for one in patterns.split("|"))


class LeftOut:
    """The reasons, and which of them have been asked for."""

    def __init__(self):
        self.rows = rows(SEEDGEN / "left_out.tsv")
        self.used = set()

    def reason(self, function, what):
        for number, (pattern, its, reason) in enumerate(self.rows):
            if matches_one(function, pattern) and matches_one(what, its):
                self.used.add(number)
                return reason
        return None

    def unused(self):
        return [" ".join(row[:2]) for number, row in enumerate(self.rows) if number not in self.used]


class Verdict(NamedTuple):
    """Of one function: names of parameters and dtypes; what is left out with its reason."""

    drawn: list
    left_out: dict
    missing: list


def judge(function, universe, drawn, left_out):
    has = drawn.given[function] | drawn.dtypes[function]
    offered = {str(one) for signature in universe[function].signatures for one in signature} | universe[function].dtypes
    reasons = {what: left_out.reason(function, what) for what in sorted(offered - has)}
    return Verdict(sorted(offered & has), {what: why for what, why in reasons.items() if why}, [what for what, why in reasons.items() if not why])


def short_name(function):
    return function.rsplit(".", 1)[1]


def why_without(function, drawn_names, left_out):
    """Why no operator draws a function; None where that is not known."""
    if reason := left_out.reason(function, "function"):
        return reason
    name = short_name(function)
    return IN_PLACE if name.endswith("_") and name[:-1] in drawn_names else NAMESAKE if name in drawn_names else None


def without_operator(universe, verdicts, left_out):
    """{reason: functions} of those that no operator draws."""
    drawn_names = {short_name(function) for function in verdicts}
    found = collections.defaultdict(list)
    for function in universe:
        if function not in verdicts:
            found[why_without(function, drawn_names, left_out)].append(function)
    return found


def page_without(universe, without):
    count = sum(map(len, without.values()))
    lines = ["", "## Functions without an operator", "",
             f"Of the {len(universe)} functions in `seedgen/universe.tsv` {len(universe) - count} are drawn by an operator. {count} are not:", "",
             "| why | how many | which |", "|---|---|---|"]
    for why, functions in sorted(without.items(), key=lambda one: (-len(one[1]), str(one[0]))):
        names = ", ".join(f"`{function.removeprefix('torch.')}`" for function in functions)
        lines.append(f"| {why or 'missing'} | {len(functions)} | {names} |")
    return lines


def page(drawn, verdicts, torch_version, totals):
    lines = ["# What is drawn of each operator", "",
             f"Written by `tests/seedgen/check_complete.py --write`; `seedgen/universe.tsv` is what torch {torch_version} offers,",
             "`seedgen/left_out.tsv` has the reasons. [generating.md](generating.md#complete) says what is counted.", "",
             f"{totals['drawn']} parameters and dtypes of {len(verdicts)} functions (casts included) are drawn, {totals['left out']} are left out with a reason,",
             f"{totals['missing']} are missing.", "",
             "| operator | functions | drawn | left out | missing |", "|---|---|---|---|---|"]
    for op, own in sorted(drawn.functions.items()):
        of = [verdicts[function] for function in sorted(own)]
        names = ", ".join(f"`{function.removeprefix('torch.')}`" for function in sorted(own)) or "syntax"
        left = ", ".join(sorted({what for one in of for what in one.left_out}))
        missing = ", ".join(sorted({what for one in of for what in one.missing}))
        lines.append(f"| `{op}` | {names} | {len({what for one in of for what in one.drawn})} | {left} | {missing} |")
    reasons = collections.defaultdict(list)
    for function, verdict in sorted(verdicts.items()):
        for what, why in verdict.left_out.items():
            reasons[why].append(f"`{function.removeprefix('torch.')}` {what}")
    lines += ["", "## Why", "", "| reason | how often | for example |", "|---|---|---|"]
    lines += [f"| {why} | {len(them)} | {'; '.join(them[:3])} |" for why, them in sorted(reasons.items())]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    universe, left_out = read_universe(), LeftOut()
    offered = with_casts(universe)
    torch_version = (SEEDGEN / "universe.tsv").read_text().splitlines()[0].rsplit(" ", 1)[1]
    text = subprocess.run([arguments.dump, str(arguments.draws)], check=True, capture_output=True, text=True).stdout
    drawn = Drawn(text.splitlines(), offered)
    verdicts = {function: judge(function, offered, drawn, left_out) for own in drawn.functions.values() for function in own}
    totals = {name: sum(len(getattr(one, name.replace(" ", "_"))) for one in verdicts.values()) for name in ("drawn", "left out", "missing")}
    wrong = [f"{function}: {', '.join(verdict.missing)}" for function, verdict in sorted(verdicts.items()) if verdict.missing]
    wrong += [f"no function of torch is known for {op}" for op, own in drawn.functions.items() if not own and not left_out.reason(f"operator {op}", "function")]
    without = without_operator(universe, verdicts, left_out)
    wrong += [f"no operator, and no reason: {function}" for function in without.get(None, [])]
    wrong += [f"a call that no signature fits: {call}" for call in drawn.unread]
    wrong += [f"a reason for what is drawn, or what torch doesn't offer: {row}" for row in left_out.unused()]
    made = "\n".join(page(drawn, verdicts, torch_version, totals) + page_without(universe, without)) + "\n"
    if arguments.write:
        PAGE.write_text(made)
    elif not PAGE.exists() or PAGE.read_text() != made:
        wrong.append("docs/complete.md is not what is drawn: check_complete.py --write")
    print("\n".join(wrong[:400]))
    print(f"{len(drawn.functions)} operators, {len(verdicts)} functions: {totals}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
