"""Checks the house: which library includes which, that a rule's registered name is its file's name, and that a file of seedgen
which has chances of its own says where they come from.

Prints one line for each breach; exit 1 when there is one. Run by ./dev check and by the tests.
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A library may include itself and these. Data flows from left to right; nothing reaches back.
ALLOWED = {
    "core": set(),
    "codec": {"core"},
    "seedgen": {"core"},
    "mutate": {"core"},
    "oracle": {"core", "mutate"},
    "pyrunner": {"core", "codec"},
    "report": {"core", "codec", "oracle"},
    "campaign": {"core", "codec", "seedgen", "mutate", "oracle", "pyrunner", "report"},
    "fleet": {"core", "codec", "pyrunner", "report", "campaign"},
    "answers": {"core", "codec", "seedgen", "mutate", "oracle", "pyrunner", "report", "campaign"},
    "explore": {"core", "codec", "seedgen", "mutate", "oracle", "pyrunner", "report", "campaign", "answers"},
    "app": {"core", "codec", "seedgen", "mutate", "oracle", "pyrunner", "report", "campaign", "fleet", "answers", "explore"},
}
# The folders whose code is the tree's own, tests and benchmarks apart. What users keep in a clone (campaigns, harvests, programs,
# venvs) lies beside them.
CODE = [*ALLOWED, "scripts"]
# The folders of a library, in the order of their knowledge: a file includes its own folder's headers, and those of the
# folders before it. "." is the library's own folder; every folder that holds C++ is listed.
FOLDERS = {
    "core": [".", "breaks"],
    "pyrunner": [".", "guard", "compiler", "worker"],
    "seedgen": ["types", "draw", "bases", "text", "constraints", "measure", "harvest", "operators", ".", "tables", "breakers"],
    "mutate": [
        "syntax", "names", "engine", "rewrite", "calls", "facts", "inputs", "infer", "outline", "safety", "material", "mutations",
    ],
    "oracle": ["judge", "oracles", "signature", "reduce", "reduce/passes"],
    "campaign": ["common", "sources", "feedback", "making", "evidence", "known", "triage", "."],
}
# Third-party headers that only these libraries or folders may see.
OWNED = {
    "tree_sitter/": {"mutate"},
    "sqlite3.h": {"report"},
    "CLI/": {"app"},
    "openssl/": {"core", "codec"},
    "utf8.h": {"core", "app"},
    "dtl/": {"report"},
    "histedit.h": {"app"},
    "dlpack.h": {"pyrunner"},
    "Python.h": {"pyrunner/worker"},
    "pybind11/": {"pyrunner/worker"},
    "nlohmann/": {"codec", "pyrunner", "report", "answers", "explore", "app"},
    "httplib.h": {"explore"},
}
CATALOGUES = ["core/breaks", "seedgen/operators", "seedgen/tables", "seedgen/breakers", "mutate/mutations", "oracle/oracles", "oracle/reduce/passes"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
# A rule says its name in name(), gives it to its base class first of all, or is registered under it.
NAME = re.compile(
    r'(?:name\(\)\s*const\s*override\s*\{\s*return|:\s*\w*(?:Mutation|Pass)\w*\(\s*\{|\bregistered\()\s*"([^"]+)"'
)
# A chance in numbers; a coin has no other.
CHANCE = re.compile(r"chance\((?!1, 2\))\d")


def files_in(folder, *suffixes):
    """The files below a folder whose names end so, without what is installed there."""
    found = []
    for at, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if not name.startswith(".") and name not in ("node_modules", "__pycache__")]
        found += [pathlib.Path(at, name) for name in names if name.endswith(suffixes)]
    return sorted(found)


def folder_in(library, path):
    return str(path.parent.relative_to(library))


def reaches_back(library, name, header):
    order = FOLDERS[library]
    for path in (name, header):
        if folder_in(library, path) not in order:
            yield f"{name}: {path.parent} is not among the folders of {library} in {pathlib.Path(__file__).name}"
            return
    if order.index(folder_in(library, header)) > order.index(folder_in(library, name)):
        yield f"{name}: {folder_in(library, name)} may not include {header}"


def breaches():
    for library, allowed in ALLOWED.items():
        for path in files_in(ROOT / library, ".cpp", ".h"):
            name = path.relative_to(ROOT)
            text = path.read_text(encoding="utf-8")
            if library == "seedgen" and CHANCE.search(text) and "chosen, not measured" not in text and "measured:" not in text:
                yield f"{name}: nothing says where its chances come from (\"chosen, not measured\")"
            for _, header in INCLUDE.findall(text):
                other = header.split("/")[0]
                if other in ALLOWED and other != library and other not in allowed:
                    yield f"{name}: {library} may not include {header}"
                if other == library and library in FOLDERS:
                    yield from reaches_back(library, name, pathlib.PurePath(header))
                for prefix, libraries in OWNED.items():
                    if header.startswith(prefix) and library not in libraries and str(name.parent) not in libraries:
                        yield f"{name}: only {', '.join(sorted(libraries))} may include {header}"
    for folder in CATALOGUES:
        for path in sorted((ROOT / folder).glob("*.cpp")):
            names = NAME.findall(path.read_text(encoding="utf-8"))
            if path.stem not in names:
                yield f"{path.relative_to(ROOT)}: registers {names or 'nothing'}, not {path.stem!r}"


if __name__ == "__main__":
    found = list(breaches())
    print("\n".join(found) if found else "libraries and names: all as they should be")
    sys.exit(1 if found else 0)
