"""Checks that operators are listed in one place: core/operators.tsv.

Outside it, seedgen/operators, seedgen/tables and the mutations, no initialiser in braces and no single text may name more
than five operators: what is true of several belongs into a column of the table. Prints one line for each breach; exit 1
when there is one. Run by ./dev check and by the tests.
"""

import pathlib
import re
import sys

import check_rooms

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 5
ROOMS = check_rooms.ALLOWED
# Folders that say what only they know of operators.
FREE = ["seedgen/operators", "seedgen/tables", "mutate/mutations", "oracle/reduce/passes"]
# Files with a reason of their own.
EXCEPTIONS = {
    "definitions.cpp": "one formula an operator, which no other shares",
    "order.cpp": "words that a reduction would rather not keep, the arguments of generators among them",
    "normalise.cpp": "what makes a tensor to begin with, as a reduced program names it",
    "short_form.cpp": "parts of words by which a text may speak of chance",
}
# Words that are everyone's: Python's own, and C++'s.
COMMON = {"all", "any", "bool", "byte", "char", "complex", "copy", "dim", "double", "dtype", "float", "half", "int", "item", "long", "max",
          "min", "numpy", "pow", "range", "real", "round", "select", "set", "short", "size", "sort", "split", "sum", "to", "type", "view",
          "where", "values", "indices", "index", "empty", "full", "take", "put", "resize", "index_put", "cpu", "normal", "bfloat16", "tile"}
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def operators():
    lines = (ROOT / "core" / "operators.tsv").read_text(encoding="utf-8").splitlines()
    return {line.split("\t")[0] for line in lines[2:]} - COMMON


def base(word):
    return word[:-1] if word.endswith("_") and not word.endswith("__") else word


def named_in(text, known):
    """Operators that a literal is, or names one after the other."""
    words = [re.split("[:=]", word)[0].removeprefix("_foreach_") for word in text.split()]
    names = {base(word) for word in words if base(word) in known}
    return names if len(names) == len(set(words)) or len(names) > MOST else set()


def initialisers(text):
    """(line, text) of each outermost pair of braces behind `=` or a parenthesis: of lists, and not of functions."""
    for start in re.finditer(r"(?:[=(]|return)\s*\{", text):
        depth, at = 0, start.end() - 1
        for at in range(start.end() - 1, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                break
        yield text.count("\n", 0, start.start()) + 1, text[start.end() - 1:at + 1]


def breaches(text, known):
    for line, part in initialisers(text):
        names = set().union(*(named_in(literal, known) for literal in TEXT.findall(part)), set())
        if len(names) > MOST:
            yield line, names
    for match in TEXT.finditer(text):
        names = named_in(match.group(1), known)
        if len(names) > MOST:
            yield text.count("\n", 0, match.start()) + 1, names


def main():
    known = operators()
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT)
            if path.suffix not in {".cpp", ".h"} or any(name.is_relative_to(free) for free in FREE) or path.name in EXCEPTIONS:
                continue
            # Comments may name whatever they speak of.
            text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            for line, names in breaches(text, known):
                found.setdefault(f"{name}:{line}", names)
    for place, names in found.items():
        print(f"{place}: a list of {len(names)} operators ({', '.join(sorted(names)[:6])}, …): it belongs into core/operators.tsv")
    if not found:
        print("operators are listed in core/operators.tsv alone")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
