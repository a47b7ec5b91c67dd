"""Harvested programs joined to larger ones, without torch."""

import pathlib
import sys
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "apfd"))

from joined import join  # noqa: E402

SUM = '''"""What was harvested."""

import torch


def make_inputs():
    return (1, 2)


def program(v0, v1):
    return v0 + v1
'''
NOTHING = "import torch\n\n\ndef make_inputs():\n    return ()\n\n\ndef program():\n    return 7\n"
NAMED = NOTHING.replace("def make", "GLOBAL = 1\n\n\ndef make")


def run(text):
    names = {}
    with mock.patch.dict(sys.modules, {"torch": types.ModuleType("torch")}):
        exec(compile(text, "joined", "exec"), names)
    return names["program"](*names["make_inputs"]())


class Joined(unittest.TestCase):
    def test_results_are_those_of_all_parts(self):
        (text, names), = join({"a.py": SUM, "b.py": NOTHING, "c.py": SUM.replace("(1, 2)", "(3, 4)")}, 3)
        self.assertEqual(names, ["a.py", "b.py", "c.py"])
        self.assertEqual(run(text), (3, 7, 7))

    def test_a_group_has_at_most_so_many_and_the_order_stays(self):
        files = {f"{number}.py": SUM.replace("(1, 2)", f"(0, {number})") for number in range(5)}
        groups = join(files, 2)
        self.assertEqual([names for _, names in groups], [["0.py", "1.py"], ["2.py", "3.py"], ["4.py"]])
        self.assertEqual([run(text) for text, _ in groups], [(0, 1), (2, 3), (4,)])

    def test_what_has_names_of_its_own_stays_alone(self):
        groups = join({"a.py": SUM, "b.py": NAMED, "c.py": SUM}, 2)
        self.assertEqual(sorted(names for _, names in groups), [["a.py", "c.py"], ["b.py"]])
        self.assertIn((NAMED, ["b.py"]), groups)


if __name__ == "__main__":
    unittest.main()
