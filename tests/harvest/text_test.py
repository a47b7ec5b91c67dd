"""Instances as program texts, without torch."""

import ast
import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "pyrunner"))

from harvest import CannotWrite, text  # noqa: E402


def tensor(**more):
    whole = {"storage": 0, "shape": [2, 3], "strides": [3, 1], "offset": 0, "requires_grad": False, "leaf": True,
             "conj": False}
    return whole | more


def values(*elements, dtype="float32"):
    return {"dtype": dtype, "values": list(elements)}


def lines(storages, tensors):
    return [line.strip() for line in text.tensor_lines(storages, tensors, "v")]


AT = {"is": "tensor", "at": 0}
SIX = values(*[float(i) for i in range(6)])


def call(name, *args, form="function", **kwargs):
    return {"form": form, "name": name, "args": list(args), "kwargs": kwargs}


def result(number, *path):
    return {"is": "result", "call": number, "path": list(path)}


class Floats(unittest.TestCase):
    def test_shortest_of_the_dtype(self):
        for dtype, code in (("float32", "f"), ("float16", "e")):
            for bits in (0x0001, 0x1234, 0x3555, 0x7BFF, 0x8001):
                value = struct.unpack(code, (bits << (16 if code == "f" else 0)).to_bytes(4 if code == "f" else 2, "little"))[0]
                again = struct.unpack(code, struct.pack(code, float(text.float_text(value, dtype))))[0]
                self.assertEqual((value, str(value)), (again, str(again)))
        self.assertEqual(text.float_text(struct.unpack("f", struct.pack("f", 0.1))[0], "float32"), "0.1")

    def test_signs_and_what_has_no_literal(self):
        self.assertEqual(text.float_text(-0.0, "float32"), "-0.0")
        self.assertEqual(text.float_text(float("nan")), 'float("nan")')
        self.assertEqual(text.float_text(float("-inf"), "float16"), 'float("-inf")')
        self.assertEqual(text.element_text([0.0, -0.0], "complex64"), "complex(0.0, -0.0)")

    def test_the_largest_is_not_rounded_up(self):
        short = float(text.float_text(65504.0, "float16"))
        self.assertEqual(struct.unpack("e", struct.pack("e", short))[0], 65504.0)
        self.assertEqual(float(text.float_text(1e300)), 1e300)


class Tensors(unittest.TestCase):
    def test_layouts(self):
        self.assertEqual(lines([SIX], [tensor()]),
                         ["v0 = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], dtype=torch.float32)"])
        transposed = lines([SIX], [tensor(strides=[1, 2])])
        self.assertEqual(transposed, ["v0 = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], dtype=torch.float32).t()"])
        spread = lines([SIX], [tensor(shape=[2], strides=[3], offset=1)])
        self.assertIn(".as_strided((2,), (3,), 1)", spread[0])
        expanded = lines([values(1.0)], [tensor(strides=[0, 0])])
        self.assertEqual(expanded, ["v0 = torch.tensor([1.0], dtype=torch.float32).as_strided((2, 3), (0, 0), 0)"])

    def test_dimensions_of_one_element_stand_anywhere(self):
        self.assertEqual(lines([SIX], [tensor(shape=[6, 1], strides=[1, 99])])[0].count("as_strided"), 0)

    def test_channels_last(self):
        made = lines([values(*[float(i) for i in range(8)])], [tensor(shape=[1, 2, 2, 2], strides=[8, 1, 4, 2])])
        self.assertTrue(made[0].endswith(".permute(0, 3, 1, 2)"), made)

    def test_long_ones_stand_on_several_lines(self):
        many = text.tensor_lines([values(*[i / 8 for i in range(60)])], [tensor(shape=[20, 3], strides=[1, 20])], "v")[0]
        self.assertTrue(many.endswith(", dtype=torch.float32).t()"), many)
        self.assertTrue(2 < len(many.splitlines()) and max(map(len, many.splitlines())) <= text.WIDTH)
        ast.parse("def f():\n" + many)

    def test_nothing_and_no_dimension(self):
        self.assertEqual(lines([values()], [tensor(shape=[0, 3], strides=[3, 1])]),
                         ["v0 = torch.zeros((0, 3), dtype=torch.float32)"])
        self.assertEqual(lines([values(2.5)], [tensor(shape=[], strides=[])]), ["v0 = torch.tensor(2.5, dtype=torch.float32)"])

    def test_shared_memory_stays_shared(self):
        got = lines([SIX], [tensor(shape=[4], strides=[1]), tensor(shape=[4], strides=[1], offset=2)])
        self.assertEqual(got[0], "memory0 = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], dtype=torch.float32)")
        self.assertEqual(got[1:], ["v0 = memory0.as_strided((4,), (1,), 0)", "v1 = memory0.as_strided((4,), (1,), 2)"])

    def test_gradients(self):
        self.assertTrue(lines([SIX], [tensor(requires_grad=True)])[0].endswith(".requires_grad_()"))
        self.assertTrue(lines([SIX], [tensor(requires_grad=True, leaf=False)])[0].endswith(".requires_grad_().clone()"))

    def test_large_ones_are_drawn_in_their_range(self):
        large = {"dtype": "float32", "length": 900, "low": -1.0, "high": 2.5}
        got = lines([large], [tensor(shape=[30, 30], strides=[30, 1])])
        self.assertEqual(got, [f"g = torch.Generator().manual_seed({text.SEED})",
                               "v0 = torch.empty((30, 30), dtype=torch.float32).uniform_(-1.0, 2.5, generator=g)"])
        whole = {"dtype": "int64", "length": 900, "low": 0, "high": 9}
        self.assertIn("torch.randint(0, 10, (900,)", lines([whole], [tensor(shape=[900], strides=[1])])[1])


class Calls(unittest.TestCase):
    def written(self, one, arguments=2):
        return text.Writer(arguments).call(one)

    def test_forms(self):
        other = {"is": "tensor", "at": 1}
        self.assertEqual(self.written(call("torch.add", AT, other, alpha=2)), "torch.add(v0, v1, alpha=2)")
        self.assertEqual(self.written(call("add_", AT, 1.5, form="method")), "v0.add_(1.5)")
        self.assertEqual(self.written(call("mT", AT, form="get")), "v0.mT")
        self.assertEqual(self.written(call("__rsub__", AT, 2, form="method")), "2 - v0")
        self.assertEqual(self.written(call("__add__", AT, -2, form="method")), "v0 + (-2)")
        self.assertEqual(self.written(call("__neg__", AT, form="method")), "-v0")
        self.assertEqual(self.written(call("data", AT, other, form="set")), ("v0.data", "v1"))

    def test_subscripts(self):
        def index(tree):
            return self.written(call("__getitem__", AT, tree, form="method"))

        part = {"is": "slice", "items": [1, None, 2]}
        self.assertEqual(index({"is": "tuple", "items": [{"is": "ellipsis"}, part, None]}), "v0[..., 1::2, None]")
        self.assertEqual(index({"is": "tuple", "items": [0]}), "v0[0,]")
        self.assertEqual(index({"is": "tuple", "items": []}), "v0[()]")
        self.assertEqual(index({"is": "list", "items": [1, 2]}), "v0[[1, 2]]")
        self.assertEqual(self.written(call("__setitem__", AT, 0, 1.0, form="method")), ("v0[0]", "1.0"))

    def test_literals(self):
        write = text.Writer(0).text
        for tree, expected in (
            ("it's \"so\"", "\"it's \\\"so\\\"\""), (None, "None"), (True, "True"), (-3, "-3"), (0.5, "0.5"),
            ({"is": "float", "text": "-inf"}, 'float("-inf")'), ({"is": "tuple", "items": [1]}, "(1,)"),
            ({"is": "size", "items": [2, 3]}, "torch.Size((2, 3))"), ({"is": "name", "name": "torch.int64"}, "torch.int64"),
            ({"is": "complex", "real": "1.0", "imag": "-0.0"}, "complex(1.0, -0.0)"),
            ({"is": "dict", "items": [["a", {"is": "list", "items": []}]]}, '{"a": []}'),
        ):
            self.assertEqual(write(tree), expected)
            ast.parse(expected)
        with self.assertRaises(CannotWrite):
            text.Writer(0).arguments_text([], {"no name": 1})


class Programs(unittest.TestCase):
    def whole(self):
        return {"storages": [SIX, values(1.0)], "tensors": [tensor(storage=1, shape=[], strides=[]), tensor()],
                "calls": [call("torch.sin", {"is": "tensor", "at": 0}), call("torch.max", {"is": "tensor", "at": 1}, 0),
                          call("torch.cos", result(1, 0))], "result": result(2)}

    def test_calls_and_arguments_without_part_go(self):
        instance, used, kept = text.pruned(self.whole())
        self.assertEqual((used, kept), ([1], [1, 2]))
        source = text.program_text(instance, "a title")
        self.assertIn("def program(v0):\n    v1 = torch.max(v0, 0)\n    v2 = torch.cos(v1[0])\n    return v2\n", source)
        ast.parse(source)

    def test_writes_stay(self):
        whole = self.whole()
        whole["calls"][0] = call("sin_", {"is": "tensor", "at": 1}, form="method")
        self.assertEqual(text.pruned(whole)[2], [0, 1, 2])
        for name, form, writes in (("add_", "method", True), ("__setitem__", "method", True), ("__iadd__", "method", True),
                                   ("__invert__", "method", False), ("torch.add", "function", False)):
            self.assertEqual(text.writes(call(name, form=form)), writes, name)
        self.assertTrue(text.writes(call("torch.add", out=AT)))

    def test_keys_tell_all_but_elements_apart(self):
        def key(**more):
            whole = self.whole()
            whole.update(more)
            return text.key_of(whole)

        self.assertEqual(key(), key(storages=[values(*[9.0] * 6), values(2.0)]))
        self.assertNotEqual(key(), key(storages=[values(*[9] * 6, dtype="int64"), values(2.0)]))
        self.assertNotEqual(key(), key(tensors=[tensor(storage=1, shape=[], strides=[]), tensor(strides=[1, 2])]))
        self.assertNotEqual(key(), key(calls=[call("torch.sin", AT), call("torch.max", AT, 1), call("torch.cos", result(1, 0))]))

    def test_modules_stand_before(self):
        made = {"is": "module", "name": "torch.nn.CrossEntropyLoss", "args": [], "kwargs": {"weight": AT},
                "training": False, "dtype": "float64"}
        source = text.program_text(
            {"storages": [SIX], "tensors": [tensor()], "calls": [call("module", AT)], "result": result(0), "module": made,
             "setup": {"storages": [values(1.0, 2.0)], "tensors": [tensor(shape=[2], strides=[1])]}}, "a title")
        self.assertIn("given0 = torch.tensor([1.0, 2.0], dtype=torch.float32)\n"
                      "module = torch.nn.CrossEntropyLoss(weight=given0).to(torch.float64).eval()\n", source)
        self.assertIn("    v1 = module(v0)\n", source)


if __name__ == "__main__":
    unittest.main()
