"""Checks that operators are listed in one place: core/operators.tsv.

Outside it, seedgen/operators, seedgen/tables and the mutations, no function, no initialiser and no single text may name more
than five operators: what is true of several belongs into a column of the table. It doesn't matter how they are
written: in braces with or without `=`, in calls or comparisons one after the other, in a text with blanks or commas, as
"exp", "exp_", "torch.exp", "aten::exp", "Tensor.exp" or "exp(". The C++ and the Python of all libraries and the scripts are read;
tests and benchmarks list what they are about. Names that are words of Python as well count beside others; where they stand
alone, they are those words.

Prints one line for each breach; exit 1 when there is one. Run by ./dev check and by the tests.
"""

import ast
import pathlib
import re
import sys

import check_includes

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 5
# Folders that say what only they know of operators, and calls by which the table is made and tested.
FREE = ["seedgen/operators", "seedgen/tables", "mutate/mutations", "oracle/reduce/passes", "scripts/operator_calls.py"]
# Files with a reason of their own.
EXCEPTIONS = {
    "mutate/material/definitions.cpp": "formulas, one an operator, and the operators that they are made of",
    "oracle/signature/normalise.cpp": "another list there would be other names for known failures",
    "pyrunner/runtime/controls/exactness.py": "runs in the Python that is tested, and speaks of aten's inner operators too, which have no "
                                              "row; where they have one, tests/operators/check_operators_table.py compares the two",
    "pyrunner/harvest/bounds.py": "runs in the Python that is tested, on aten's inner operators",
    "pyrunner/harvest/bound_rules.py": "the same: arithmetic, one rule for the operators that it is true of",
    "pyrunner/harvest/bound_sums.py": "the same",
    "pyrunner/runtime/controls/equal_elements.py": "runs there too: those that name elements that they choose by value",
}
# Words of Python and C++, types and parameters, which are operators' names as well.
COMMON = {"all", "any", "bool", "byte", "char", "complex", "copy", "dim", "double", "dtype", "float", "half", "int", "item", "long", "max",
          "min", "numpy", "pow", "range", "real", "round", "select", "set", "short", "size", "sort", "split", "sum", "to", "type", "view",
          "where", "values", "indices", "index", "empty", "full", "take", "put", "resize", "index_put", "cpu", "normal", "bfloat16", "tile",
          "chalf", "tensor"}
# What a name may stand behind.
OWNERS = re.compile(r"^(?:torch|aten|prims|ops|Tensor|F|nn|functional|special|linalg|fft|_refs)$")
LEXED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|'
                   r"'(?:[^'\\\n]|\\.)'|[{}();]|\w+", re.S)
SCOPES = {"namespace", "class", "struct", "extern"}


def operators():
    lines = (ROOT / "core" / "operators.tsv").read_text(encoding="utf-8").splitlines()
    return {line.split("\t")[0] for line in lines[2:]}


def named_in(text, known):
    """name -> it can be nothing else, of the operators that a text is, or names one after the other."""
    words = [re.split("[:=(]", word.replace("::", "."))[0].lstrip(".") for word in re.split(r"[\s,|]+", text.strip()) if word]
    names = {}
    for word in words:
        *owners, name = word.split(".")
        qualified = bool(owners) and all(OWNERS.match(owner) for owner in owners)
        name = name.removeprefix("_foreach_")
        name = name[:-1] if name.endswith("_") and not name.endswith("__") else name
        if name in known and (qualified or not owners):
            names[name] = names.get(name, False) or qualified or name not in COMMON
    # Sentences and programs have other words among them.
    return names if len(names) == len(set(words)) or (len(names) > MOST and 2 * len(names) >= len(words)) else {}


def parts_of_cpp(text):
    """(line, texts) of each function, initialiser and declaration, which namespaces and classes hold."""
    begin, depth, texts, opens = None, 0, [], False
    for token in LEXED.finditer(text):
        word = token.group()
        if word.startswith(("//", "/*")):
            continue
        begin = token.start() if begin is None else begin
        literal = token.group("raw") if token.group("raw") is not None else token.group("text")
        if literal is not None:
            texts.append(literal)
        elif word in "{(":
            if word == "{" and depth == 0 and opens:
                begin, texts = None, []
            else:
                depth += 1
            opens = False
        elif word in "})":
            depth = max(depth - 1, 0)
        elif depth == 0 and word in SCOPES:
            opens = True
        if depth == 0 and word in (";", "}"):
            if texts:
                yield text.count("\n", 0, begin) + 1, texts
            begin, texts, opens = None, [], False
    if texts:
        yield text.count("\n", 0, begin) + 1, texts


def texts_of(node):
    """Texts of a statement, but for what documents it and for parts of formatted text."""
    passed = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Expr):
            passed.add(one.value)
        if isinstance(one, ast.JoinedStr):
            passed.update(one.values)
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str) and one not in passed]


def parts_of_python(text):
    def parts(body):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from parts(node.body)
            else:
                yield node.lineno, texts_of(node)
    yield from parts(ast.parse(text).body)


def breaches(parts, known):
    for line, texts in parts:
        names = {}
        for text in texts:
            for name, certain in named_in(text, known).items():
                names[name] = names.get(name, False) or certain
        if len(names) > MOST and any(names.values()):
            yield line, names


def files(root):
    for library in check_includes.ALLOWED:
        yield from check_includes.files_in(root / library, ".cpp", ".h")
    for folder in check_includes.CODE:
        yield from check_includes.files_in(root / folder, ".py")


def breaches_in(root):
    known = operators()
    for path in files(root):
        name = path.relative_to(root)
        if any(name.is_relative_to(free) for free in FREE) or str(name) in EXCEPTIONS:
            continue
        text = path.read_text(encoding="utf-8")
        parts = parts_of_python(text) if path.suffix == ".py" else parts_of_cpp(text)
        for line, names in breaches(parts, known):
            yield f"{name}:{line}", names


def main():
    found = dict(breaches_in(ROOT))
    for place, names in found.items():
        print(f"{place}: a list of {len(names)} operators ({', '.join(sorted(names))}): it belongs into core/operators.tsv")
    if not found:
        print("operators are listed in core/operators.tsv alone")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
