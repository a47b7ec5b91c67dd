"""Checks the Python of the tree: who names private parts of torch, and who imports whom in pyrunner/runtime.

1. Private names. Only pyrunner/runtime/compat names what torch and Python keep to themselves. A Python file names it
   when it imports a module with a private part ("torch._dynamo", "from torch.utils import _pytree"), when it follows
   attributes from torch to a private one (`torch._C`, `torch.nn.functional._x`), when it reads an underscored attribute
   of anything that is not its own (`tensor._version`; own are `self`, `cls`, and what a file of the same folder defines),
   or when a text that is not a docstring begins with a private path of torch ("torch._dynamo.exc"). Attributes of the
   last two kinds count in pyrunner/ only: elsewhere nothing runs inside the process that is tested.
   In C++, only pyrunner/worker runs Python (check_includes.py keeps Python.h and pybind11 there); there a text that is an
   underscored name, or holds "torch._", counts. Texts elsewhere in C++ are programs and reproducers: they are read by the
   Python that runs them, which has no compat. Only the folders of check_includes.CODE are looked at. Not among them are
   corpus (programs that show a bug, as their finder wrote them), tests (programs, faulty backends and checks of torch: they
   name what the test is about), bench (faults planted in the compiler, and other fuzzers' drivers), and what users keep in
   a clone.
2. Circles. No module of the runtime imports itself by way of others; imports inside functions count.
3. Folders. A folder of the runtime imports what its line below says, and nothing else of the runtime.

Prints one line for each breach; exit 1 when there is one. Run by ./dev check and by the tests.
"""

import ast
import pathlib
import re
import sys

import check_includes

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNTIME = "pyrunner/runtime"
COMPAT = RUNTIME + "/compat/"

# What a folder of the runtime may import of it; "" is the runtime's own files, which may import everything.
MAY_IMPORT = {
    "compat": set(),
    "observe": {"compat", "text"},
    "state": {"compat"},
    "controls": {"compat"},
    "compilers": {"compat"},
}

# (file, private name) -> why it can't be asked of compat.
_OUTSIDE = "runs in the interpreter of whoever is harvested, without our runtime: "
_IMPORTS = "runs in the user's interpreter, without our runtime: "
_TOOL = "a tool of this tree's developers, run by hand: "
EXCEPTIONS = {
    ("pyrunner/harvest/check.py", "torch.utils._pytree"): _OUTSIDE + "torch has no public walk of nested outputs",
    ("pyrunner/harvest/opinfo.py", "torch.utils._pytree"): _OUTSIDE + "torch has no public walk of nested arguments",
    ("pyrunner/harvest/opinfo.py", "torch.testing._internal"): _OUTSIDE + "torch's operator database is what is harvested",
    ("pyrunner/harvest/dispatched.py", "torch.utils._python_dispatch"): _OUTSIDE + "the documented way to see operators",
    ("pyrunner/harvest/bounds.py", "torch.utils._python_dispatch"): _OUTSIDE + "the documented way to see operators",
    ("pyrunner/harvest/bounds.py", "torch.utils._pytree"): _OUTSIDE + "torch has no public walk of nested arguments",
    ("pyrunner/harvest/bounds.py", "function._schema"): _OUTSIDE + "the names of an operator's parameters, and what it writes",
    ("pyrunner/harvest/as_operator.py", "torch._debug_has_internal_overlap"): _OUTSIDE + "only torch knows which layouts overlap",
    ("pyrunner/harvest/names.py", "torch._C"): _OUTSIDE + "functions that others call by these names get their public ones",
    ("pyrunner/harvest/names.py", "torch._ops"): _OUTSIDE + "the types of the operators that others call",
    ("pyrunner/harvest/record.py", "torch._C"): _OUTSIDE + "what is recorded must not be traced, nor see the recorder",
    ("pyrunner/harvest/tree.py", "torch._C"): _OUTSIDE + "values inside vmap and grad can't be written down",
    ("pyrunner/harvest/tree.py", "torch._mkldnn"): _OUTSIDE + "a layout that can't be written down",
    ("pyrunner/harvest/tree.py", "…._cdata"): _OUTSIDE + "which tensors share memory, where there is none too",
    ("pyrunner/importing/aten.py", "torch._C"): _IMPORTS + "which public function is generated from an operator",
    ("pyrunner/importing/aten.py", "torch._ops"): _IMPORTS + "the type of the operators in exported programs",
    ("pyrunner/importing/aten.py", "func._schema"): _IMPORTS + "the name of the operators in exported programs",
    ("scripts/count_compiler_calls.py", "torch._C"): _TOOL + "asks torch for all its operators",
    ("scripts/count_compiler_calls.py", "torch.testing._internal"): _TOOL + "torch's operator and module databases",
    ("scripts/operators.py", "torch._C"): _TOOL + "the schemas of all operators",
    ("scripts/operators.py", "torch._refs"): _TOOL + "how reference implementations promote types",
    ("scripts/operators.py", "torch.testing._internal"): _TOOL + "torch's operator database",
    ("scripts/universe.py", "torch._C"): _TOOL + "the schemas of all operators",
    ("scripts/universe.py", "torch.testing._internal"): _TOOL + "torch's operator database",
    ("scripts/operators.py", "torch.utils._python_dispatch"): _TOOL + "the documented way to see operators",
}
PUBLIC = {"_exit"}  # underscored, and documented
PRIVATE = re.compile(r"^_[a-zA-Z]")
TEXT = re.compile(r"^torch\.(?:\w+\.)*_[a-zA-Z]")
IN_CPP = re.compile(r'"(_[a-zA-Z]\w*|[^"]*\btorch\._\w[^"]*)"')


def listed(suffix, *folders):
    """Names, from the root, of the files below these folders of the tree."""
    return [path.relative_to(ROOT).as_posix() for folder in folders for path in check_includes.files_in(ROOT / folder, suffix)]


def is_private(dotted):
    return any(PRIVATE.match(part) for part in dotted.split("."))


def chain_of(node):
    """"torch.nn._x" of an expression that is a name and attributes; None for others."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def own_names(tree):
    """Attributes that the file defines: methods, functions, what is assigned to attributes and names."""
    own = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                own.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
    return own


def docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def private_names(tree, inside):
    """(line, name) of what is private and not the file's own; `inside`: it runs in the process that is tested."""
    own, told = own_names(tree), set(map(id, docstrings(tree)))
    within = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "torch" and is_private(alias.name) or alias.name in ("_signal",):
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "torch":
            if is_private(node.module):
                yield node.lineno, node.module
            else:
                yield from ((node.lineno, f"{node.module}.{one.name}") for one in node.names if PRIVATE.match(one.name))
        elif isinstance(node, ast.Attribute) and id(node) not in within:
            yield from of_attributes(node, own, inside)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and inside and id(node) not in told:
            if TEXT.match(node.value):
                yield node.lineno, node.value.split()[0]


def of_attributes(node, own, inside):
    chain = chain_of(node)
    if chain and chain.split(".")[0] == "torch" and is_private(chain):
        yield node.lineno, chain
        return
    while inside and isinstance(node, ast.Attribute):
        holder = node.value.id if isinstance(node.value, ast.Name) else None
        if PRIVATE.match(node.attr) and node.attr not in PUBLIC and holder not in ("self", "cls") and node.attr not in own:
            yield node.lineno, f"{holder or '…'}.{node.attr}"
        node = node.value


def excused(name, found):
    return any(file == name and (found + ".").startswith(private + ".") for file, private in EXCEPTIONS)


def breaches_of_names():
    used = set()
    for name in listed(".py", *check_includes.CODE):
        if name.startswith(COMPAT):
            continue
        try:
            tree = ast.parse((ROOT / name).read_text(encoding="utf-8"), name)
        except (SyntaxError, ValueError) as error:
            yield f"{name}: {error}"
            continue
        for line, found in private_names(tree, name.startswith("pyrunner/")):
            used |= {key for key in EXCEPTIONS if key[0] == name and (found + ".").startswith(key[1] + ".")}
            if not excused(name, found):
                yield f"{name}:{line}: {found} is private: ask pyrunner/runtime/compat for it"
    for file, private in sorted(set(EXCEPTIONS) - used):
        yield f"scripts/check_python.py: {file} does not name {private} any more: take the exception out"
    for name in [*listed(".cpp", "pyrunner/worker"), *listed(".h", "pyrunner/worker")]:
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            for found in IN_CPP.findall(line):
                yield f"{name}:{number}: {found} is private: ask pyrunner/runtime/compat for it"


def modules():
    """Name -> path of each module of the runtime; a package has the name of its folder."""
    found = {}
    for path in (ROOT / RUNTIME).rglob("*.py"):
        parts = path.relative_to(ROOT / RUNTIME).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name, path, known):
    """Modules of the runtime that a module imports, wherever in its text."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package.split(".") if package else []
        base = base[: len(base) - node.level + 1] + (node.module or "").split(".")
        base = ".".join(part for part in base if part)
        for alias in node.names:
            inner = f"{base}.{alias.name}" if base else alias.name
            yield inner if inner in known else base


def circle_in(graph):
    """A list of modules, each imported by the one before it, that ends where it began; None where there is none."""
    done = set()

    def follow(name, path):
        if name in path:
            return [*path[path.index(name):], name]
        if name in done:
            return None
        for following in sorted(graph[name]):
            if found := follow(following, [*path, name]):
                return found
        done.add(name)
        return None

    return next((found for name in sorted(graph) if (found := follow(name, []))), None)


def breaches_of_imports():
    known = modules()
    graph = {name: set(imports(name, path, known)) - {name} for name, path in known.items()}
    if circle := circle_in(graph):
        yield f"{RUNTIME}: a circle of imports: {' -> '.join(circle)}"
    folders = {name.split(".")[0] for name in known if (ROOT / RUNTIME / name.split(".")[0]).is_dir() and name}
    for folder in sorted(folders - set(MAY_IMPORT)):
        yield f"scripts/check_python.py: say in MAY_IMPORT what {RUNTIME}/{folder} may import"
    for name, found in sorted(graph.items()):
        folder = name.split(".")[0]
        if folder not in MAY_IMPORT:
            continue
        for other in sorted(one.split(".")[0] for one in found):
            if other != folder and other not in MAY_IMPORT[folder]:
                yield f"{RUNTIME}/{name.replace('.', '/')}: {folder} may not import {other or 'the package itself'}"


def breaches():
    yield from breaches_of_names()
    yield from breaches_of_imports()


if __name__ == "__main__":
    found = list(breaches())
    print("\n".join(found) if found else "private names and imports: all as they should be")
    sys.exit(1 if found else 0)
