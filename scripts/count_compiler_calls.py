"""Writes corpus/harvest/compiler_calls.json: how often each operator is called by what the compiler is tested with, as far
as a torch that pip installs shows it. `.venv/bin/python scripts/count_compiler_calls.py`.

torch's tests of its compiler (test/inductor, test/dynamo, test/functorch) are not in the wheel. What is: the compiler's
own sources, in which its authors write operators where they handle them one by one (lowerings, decompositions, patterns
with example inputs, meta functions, polyfills), and the testing helpers that come along. Every mention of an operator in
their syntax trees (torch.NAME, torch.nn.functional.NAME, F.NAME, aten.NAME, prims.NAME, torch.linalg.NAME …) is one;
nothing is imported or run. Names are those of pyrunner/harvest/names.py: forms of an operator are one.
"""

import ast
import collections
import json
import pathlib
import sys
from types import ModuleType

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pyrunner"))

from harvest import names  # noqa: E402

FOLDERS = ("_inductor", "_dynamo", "_functorch", "_decomp", "_meta_registrations.py", "_refs", "_higher_order_ops",
           "testing/_internal/inductor_utils.py", "testing/_internal/triton_utils.py", "testing/_internal/hop_db.py",
           "testing/_internal/composite_compliance.py", "testing/_internal/custom_op_db.py",
           "testing/_internal/dynamo_pytree_test_utils.py", "testing/_internal/optests")
# Prefixes of a dotted name and the space of `names.operator_of` that they stand for.
SPACES = {"torch": "torch", "torch.nn.functional": "torch.nn.functional", "F": "torch.nn.functional", "aten": "torch",
          "prims": "torch", "torch.ops.aten": "torch", "torch.ops.prims": "torch", "torch.linalg": "torch.linalg",
          "torch.fft": "torch.fft", "torch.special": "torch.special", "torch.Tensor": "torch.Tensor", "torch.nn": "torch.nn",
          "torch.sparse": "torch.sparse", "refs": "torch", "torch._refs": "torch"}

NONE = {"_check", "_check_is_size", "_check_value", "nn.Module", "nn.Parameter"}  # asked, or made, but no operator


def known():
    """The operators that there are: public functions and methods of torch, its modules, aten's and prims' operators."""
    found = {names.operator_of(name) for _, name, _ in names._table().values()}
    found |= {f"nn.{name}" for name in dir(torch.nn) if name[0].isupper()}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space in ("aten", "prims"):
            found.add(names.operator_of(f"torch.{name}"))
    return found


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


class Mentions(ast.NodeVisitor):
    def __init__(self):
        self.names = []

    def visit_Attribute(self, node):
        parts = dotted(node)
        # The longest prefix that is a space: what follows it is the operator, then maybe an overload.
        for cut in range(len(parts) - 1, 0, -1):
            if space := SPACES.get(".".join(parts[:cut])):
                if parts[0] != "torch" or not isinstance(getattr(torch, parts[cut], None), (torch.dtype, type, ModuleType)):
                    self.names.append(f"{space}.{parts[cut]}")
                return
        self.generic_visit(node)


def main():
    base = pathlib.Path(torch.__file__).parent
    operators, counts, files = known(), collections.Counter(), 0
    for folder in FOLDERS:
        path = base / folder
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.exists():
            mentions = Mentions()
            mentions.visit(ast.parse(file.read_text(encoding="utf-8")))
            found = [names.operator_of(name) for name in mentions.names]
            counts.update(name for name in found if name in operators and name not in NONE)
            files += 1
    source = (f"mentions of operators in {files} Python files that the wheel of torch {torch.__version__} ships of its "
              "compiler and of that one's test helpers; torch's own tests of the compiler are not in the wheel")
    where = ROOT / "corpus/harvest/compiler_calls.json"
    where.parent.mkdir(exist_ok=True)
    where.write_text(json.dumps({"source": source, "by": "scripts/count_compiler_calls.py", "files": list(FOLDERS),
                                 "torch": torch.__version__, "counts": dict(sorted(counts.items()))}, indent=1) + "\n",
                     encoding="utf-8")
    print(f"{len(counts)} operators, {sum(counts.values())} mentions in {files} files: {where}")


if __name__ == "__main__":
    main()
