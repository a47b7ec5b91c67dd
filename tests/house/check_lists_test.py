"""scripts/check_lists.py sees a list of operators however it is written, and nothing else."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import check_lists  # noqa: E402

NAMES = ["exp", "log", "sin", "cos", "tan", "abs"]
QUOTED = ", ".join(f'"{name}"' for name in NAMES)
COMPARED = " || ".join(f'x == "{name}"' for name in NAMES)
CPP = {
    "assigned": "const Names kNames = {%s};" % QUOTED,
    "without_sign": "const std::vector<std::string_view> kNames{%s};" % QUOTED,
    "typed": "const auto names() {\n  static const auto all = std::vector<std::string_view>{%s};\n  return all;\n}" % QUOTED,
    "torch": "constexpr std::string_view kNames[] = {%s};" % ", ".join(f'"torch.{name}"' for name in NAMES),
    "aten": "constexpr std::string_view kNames[] = {%s};" % ", ".join(f'"aten::{name}"' for name in NAMES),
    "aten_overloads": "const Names kNames{%s};" % ", ".join(f'"torch.ops.aten.{name}"' for name in NAMES),
    "methods": "const Names kNames{%s};" % ", ".join(f'"Tensor.{name}_"' for name in NAMES),
    "calls": "const Names kNames{%s};" % ", ".join(f'"torch.{name}("' for name in NAMES),
    "foreach": "const Names kNames{%s};" % ", ".join(f'"_foreach_{name}"' for name in NAMES),
    "blanks": 'constexpr std::string_view kNames = "%s";' % " ".join(NAMES),
    "commas": 'constexpr std::string_view kNames = "%s";' % ",".join(NAMES),
    "commas_and_blanks": 'constexpr std::string_view kNames = "%s";' % ", ".join(NAMES),
    "raw": 'constexpr std::string_view kNames = R"(%s)";' % "\n".join(NAMES),
    "chain": "bool known(std::string_view x) { return %s; }" % COMPARED,
    "ladder": "int known(std::string_view x) {\n%s  return 0;\n}" % "".join(f'  if (x == "{name}") return 1;\n' for name in NAMES),
    "rows": "void fill(Names& all) {\n%s}" % "".join(f'  all.insert("{name}");\n' for name in NAMES),
    "call": "bool known(std::string_view x) { return one_of(x, %s); }" % QUOTED,
    "call_outside": "const auto kNames = set_of(%s);" % QUOTED,
    "words": 'const Names kNames = {"exp", "sum", "max", "min", "all", "any"};',
    "in_class": "class Known {\n  int one = 1;\n  std::vector<std::string> names{%s};\n};" % QUOTED,
}
PYTHON = {
    "set": "NAMES = {%s}\n" % QUOTED,
    "call": "NAMES = frozenset((%s))\n" % QUOTED,
    "split": 'NAMES = """%s""".split()\n' % "\n".join(NAMES),
    "keys": "NAMES = {%s}\n" % ", ".join(f'"{name}": 1' for name in NAMES),
    "chain": "def known(x):\n    return %s\n" % COMPARED.replace("||", "or"),
    "match": "def known(x):\n    match x:\n        case %s:\n            return 1\n" % " | ".join(f'"{name}"' for name in NAMES),
    "rows": "def fill(x):\n%s" % "".join(f'    x.add("{name}")\n' for name in NAMES),
    "class": "class Known:\n    names = [%s]\n" % QUOTED,
}
PASSED = {
    "words.h": 'const Names kTypes = {"bool", "int", "half", "float", "double", "complex", "long"};',
    "five.cpp": 'const Names kNames = {"exp", "log", "sin", "cos", "tan"};',
    "functions.cpp": "\n".join(f'bool is_{name}(std::string_view x) {{ return x == "{name}"; }}' for name in NAMES),
    "comment.cpp": "// %s\nint one = 1;" % " ".join(NAMES),
    "sentence.cpp": 'throw Error("exp and log of a value whose sin, cos, tan or abs nobody knows, and of which no one can say more");',
    "document.py": '"""%s"""\n' % " ".join(NAMES),
    "formatted.py": "def text(x):\n    return f'%s'\n" % "".join(f"torch.{name}({{x}}) " for name in NAMES),
}
FREE = "seedgen/operators/planted.cpp"
# Not of the tree.
INSTALLED = ["explore/page/node_modules/a/installed.cpp", "explore/page/node_modules/a/installed.py", "harvested/run/own.py", "mine.py"]


class Planted(unittest.TestCase):
    """In a copy of the tree."""

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp())
        for folder in (*check_lists.check_includes.ALLOWED, "scripts"):
            shutil.copytree(ROOT / folder, cls.root / folder, ignore=shutil.ignore_patterns("node_modules"))
        planted = cls.root / "mutate" / "safety"
        for name, text in CPP.items():
            (planted / f"planted_{name}.cpp").write_text("namespace jp {\nnamespace {\n\n" + text + "\n\n}  // namespace\n}  // namespace jp\n")
        for name, text in PYTHON.items():
            for folder in ("pyrunner/runtime/observe", "pyrunner/backends", "scripts"):
                (cls.root / folder / f"planted_{name}.py").write_text(text)
        for name, text in PASSED.items():
            (planted / f"passed_{name}").write_text(text + "\n")
        (cls.root / FREE).write_text(CPP["assigned"])
        for name in INSTALLED:
            (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.root / name).write_text(CPP["assigned"] if name.endswith(".cpp") else PYTHON["set"])
        cls.found = [place.rsplit(":", 1)[0] for place, _ in check_lists.breaches_in(cls.root)]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.root)

    def test_every_spelling_is_seen(self):
        for name in CPP:
            self.assertIn(f"mutate/safety/planted_{name}.cpp", self.found, CPP[name])
        for name in PYTHON:
            for folder in ("pyrunner/runtime/observe", "pyrunner/backends", "scripts"):
                self.assertIn(f"{folder}/planted_{name}.py", self.found, PYTHON[name])

    def test_nothing_else_is(self):
        self.assertEqual([place for place in self.found if "/planted_" not in place], [])
        self.assertNotIn(FREE, self.found)

    def test_exceptions_are_few_and_needed(self):
        self.assertLessEqual(len(check_lists.EXCEPTIONS), 7)
        former, check_lists.EXCEPTIONS = check_lists.EXCEPTIONS, {}
        try:
            found = {place.rsplit(":", 1)[0] for place, _ in check_lists.breaches_in(ROOT)}
        finally:
            check_lists.EXCEPTIONS = former
        self.assertEqual(found, set(former))


if __name__ == "__main__":
    unittest.main()
