"""scripts/check_python.py finds what it is there to find, and nothing else."""

import ast
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import check_python  # noqa: E402


def found(text, inside=True):
    return [name for _, name in check_python.private_names(ast.parse(text), inside)]


class PrivateNames(unittest.TestCase):
    def test_imports(self):
        self.assertEqual(found("import torch._dynamo"), ["torch._dynamo"])
        self.assertEqual(found("import torch.fx.experimental._config as c"), ["torch.fx.experimental._config"])
        self.assertEqual(found("def f():\n    from torch._ops import X"), ["torch._ops"])
        self.assertEqual(found("from torch.utils import _pytree, data"), ["torch.utils._pytree"])

    def test_attributes(self):
        self.assertEqual(found("torch._C._x(1)"), ["torch._C._x"])
        self.assertEqual(found("y = torch.nn._reduction.z"), ["torch.nn._reduction.z"])
        self.assertEqual(found("torch._dynamo.config.cse = 1", inside=False), ["torch._dynamo.config.cse"])
        self.assertEqual(found("tensor._version"), ["tensor._version"])
        self.assertEqual(found("f(x)._cdata.y"), ["…._cdata"])
        self.assertEqual(found("tensor._version", inside=False), [])

    def test_texts(self):
        self.assertEqual(found("x = 'torch._dynamo.exc'"), ["torch._dynamo.exc"])
        self.assertEqual(found("x = 'torch.compile'"), [])
        self.assertEqual(found("def f():\n    'torch._dynamo does it'"), [])

    def test_what_is_public_or_the_files_own(self):
        self.assertEqual(found("import torch.fx.experimental.proxy_tensor"), [])
        self.assertEqual(found("torch.compile(f); x.__dict__; os._exit(1)"), [])
        self.assertEqual(found("class A:\n    def __init__(self):\n        self._x = 1\n\n    def f(self, o):\n"
                               "        return o._x + self._inherited"), [])

    def test_worker(self):
        self.assertEqual(check_python.IN_CPP.findall('interned("_cdata"); attr("_C"); exec("import torch._C")'),
                         ["_cdata", "_C", "import torch._C"])
        self.assertEqual(check_python.IN_CPP.findall('attr("nn").attr("Parameter"); get("__dict__")'), [])


class Files(unittest.TestCase):
    PRIVATE = "import torch._inductor.config\n"
    # What users keep in a clone, and what is installed in it.
    OTHERS = ("mine.py", "campaigns/seed-1/findings/ab/repro.py", "harvested/opinfo/roll_000.py", "night/findings/cd/repro.py",
              ".venv-2.12.0/lib/python3.11/site-packages/torch/a.py", "build/release/a.py", "explore/page/node_modules/a/b.py")

    def seen(self, texts):
        """The lines about a tree of these files."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            with mock.patch.object(check_python, "ROOT", pathlib.Path(folder)), \
                    mock.patch.object(check_python, "EXCEPTIONS", {}):
                return list(check_python.breaches_of_names())

    def test_what_users_keep_in_a_clone_is_not_looked_at(self):
        self.assertEqual(self.seen(dict.fromkeys(self.OTHERS, self.PRIVATE) | {"cut.py": "def"}), [])

    def test_files_of_the_tree_are(self):
        for name in ("scripts/a.py", "pyrunner/harvest/a.py", "explore/a.py"):
            lines = self.seen({name: self.PRIVATE})
            self.assertEqual([line.split(": ")[0] for line in lines], [f"{name}:1"])
        self.assertEqual(len(self.seen({"scripts/a.py": "no program"})), 1)


class Imports(unittest.TestCase):
    def test_circles(self):
        self.assertEqual(check_python.circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])
        self.assertIsNone(check_python.circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}))

    def test_imports_within_functions_count(self):
        path = pathlib.Path(tempfile.mkdtemp()) / "w.py"
        try:
            path.write_text("from . import x\n\n\ndef f():\n    from ..compat import eager\n    from .y import z\n")
            known = {"observe", "observe.x", "observe.y", "compat", "compat.eager"}
            self.assertEqual(list(check_python.imports("observe.w", path, known)),
                             ["observe.x", "compat.eager", "observe.y"])
        finally:
            path.unlink()

    def test_what_a_folder_may_not_import(self):
        former = check_python.MAY_IMPORT
        check_python.MAY_IMPORT = {**former, "controls": set()}
        try:
            breaches = list(check_python.breaches_of_imports())
        finally:
            check_python.MAY_IMPORT = former
        self.assertTrue(any("controls/noise: controls may not import compat" in one for one in breaches), breaches)


if __name__ == "__main__":
    unittest.main()
