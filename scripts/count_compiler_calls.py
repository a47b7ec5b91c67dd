"""Writes corpus/harvest/compiler_calls.json: how often torch's tests of its compiler call each operator.

    .venv/bin/python scripts/count_compiler_calls.py --source FOLDER

FOLDER is a source tree of torch (the wheel has no tests). Two things are counted, in the files of TESTS:

- Calls as they are written, from the syntax trees; nothing is imported or run. torch.NAME(…), F.NAME(…), aten.NAME(…),
  nn.NAME(…) and so on; x.NAME(…) where NAME is a method of tensors and of no class of Python's own; and an operator of
  Python's such as x + y where one side is a parameter of a function inside a test, of a lambda or of `forward`, or is
  itself counted. A call is counted once, however often a loop or a list of parameters repeats it.
- Tests that go through the whole operator or module database (@ops(op_db, …), @modules(module_db, …)): every sample of an
  entry, in every dtype that the test takes, is a call of its operator. The databases are those of the torch that runs this
  script. Tests that select entries by code of their own (filters, comprehensions) are left out, and so is that a test
  skips entries or expects them to fail. `inductor_one_sample` of test_torchinductor_opinfo.py is followed.

Names are those of pyrunner/harvest/names.py: forms of an operator are one. Without --source the wheel of the installed
torch stands in: how often the compiler's own sources name an operator, which says where its authors worked, not what they
tested.
"""

import argparse
import ast
import builtins
import collections
import json
import pathlib
import re
import sys
from types import ModuleType

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pyrunner"))

from harvest import names  # noqa: E402

TESTS = ("test/inductor", "test/dynamo", "test/export", "test/functorch/test_ac.py", "test/functorch/test_aotdispatch.py",
         "test/functorch/test_control_flow.py", "test/functorch/test_memory_efficient_fusion.py",
         "test/functorch/test_minifier.py", "test/test_decomp.py", "test/test_dynamic_shapes.py", "test/test_fake_tensor.py",
         "test/test_functionalization.py", "test/test_proxy_tensor.py")
COMPILER = ("_inductor", "_dynamo", "_functorch", "_decomp", "_meta_registrations.py", "_refs", "_higher_order_ops",
            "testing/_internal/inductor_utils.py", "testing/_internal/triton_utils.py", "testing/_internal/hop_db.py",
            "testing/_internal/composite_compliance.py", "testing/_internal/custom_op_db.py",
            "testing/_internal/dynamo_pytree_test_utils.py", "testing/_internal/optests")
# Prefixes of a dotted name and the space of `names.operator_of` that they stand for.
SPACES = {"torch": "torch", "torch.nn.functional": "torch.nn.functional", "nn.functional": "torch.nn.functional",
          "F": "torch.nn.functional", "aten": "torch", "prims": "torch", "torch.ops.aten": "torch",
          "torch.ops.prims": "torch", "torch.linalg": "torch.linalg", "torch.fft": "torch.fft",
          "torch.special": "torch.special", "torch.Tensor": "torch.Tensor", "torch.nn": "torch.nn", "nn": "torch.nn",
          "torch.sparse": "torch.sparse", "refs": "torch", "torch._refs": "torch"}
# Classes of Python's syntax whose names are not those of its methods for operators.
SPELT = {"Mult": "mul", "Div": "truediv", "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "USub": "neg", "NotEq": "ne",
         "LtE": "le", "GtE": "ge"}
SHORT = {"f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16", "i8": "int8", "i16": "int16",
         "i32": "int32", "i64": "int64", "b8": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}
# Asked, or made, or how a test looks at its results, but no operator.
NONE = {"_check", "_check_is_size", "_check_value", "nn.Module", "nn.Parameter", "compile", "manual_seed", "no_grad",
        "allclose", "is_tensor", "is_grad_enabled", "set_grad_enabled", "set_default_dtype", "get_default_dtype"}


def known():
    """The operators that there are: public functions and methods of torch, its modules, aten's and prims' operators."""
    found = {names.operator_of(name) for _, name, _ in names._table().values()}
    found |= {f"nn.{name}" for name in dir(torch.nn) if name[0].isupper()}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space in ("aten", "prims"):
            found.add(names.operator_of(f"torch.{name}"))
    return found - NONE


def tensor_methods():
    """Names of methods that a class of Python's own has not: `x.sin` is a tensor's, `x.split` may be a text's."""
    own = {name for kind in vars(builtins).values() if isinstance(kind, type) for name in dir(kind)}
    own |= set(dir(re.Pattern)) | set(dir(re.Match)) | set(dir(pathlib.Path)) | {"apply", "register_hook", "backward"}
    return {name for name in dir(torch.Tensor) if not name.startswith("_") and name not in own
            and name not in names._QUESTIONS and callable(getattr(torch.Tensor, name))}


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


def named(node):
    """The operator that a dotted name stands for, or ""."""
    parts = dotted(node)
    # The longest prefix that is a space: what follows it is the operator, then maybe an overload.
    for cut in range(len(parts) - 1, 0, -1):
        if space := SPACES.get(".".join(parts[:cut])):
            if parts[0] == "torch" and isinstance(getattr(torch, parts[cut], None), (torch.dtype, type, ModuleType)):
                return ""
            return names.operator_of(f"{space}.{parts[cut]}")
    return ""


class Mentions(ast.NodeVisitor):
    """Every operator that a file names."""

    def __init__(self):
        self.names = []

    def visit_Attribute(self, node):
        if name := named(node):
            self.names.append(name)
        elif not dotted(node):
            self.generic_visit(node)


class Calls(ast.NodeVisitor):
    """Every operator that a file calls."""

    def __init__(self, methods):
        self.methods = methods
        self.names = []
        self.inside = 0  # functions around
        self.tensors = [set()]  # parameters of the functions around that may be tensors

    def visit_FunctionDef(self, node):
        parameters = {one.arg for one in (*node.args.posonlyargs, *node.args.args)} - {"self", "cls"}
        of_test = node.name.startswith("test") or self.inside == 0 and node.name != "forward"
        self._enter(node, set() if of_test else parameters)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self._enter(node, {one.arg for one in node.args.args})

    def _enter(self, node, parameters):
        self.inside += 1
        self.tensors.append(self.tensors[-1] | parameters)
        self.generic_visit(node)
        self.tensors.pop()
        self.inside -= 1

    def visit_Call(self, node):
        if name := self._called(node.func):
            self.names.append(name)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        self._spelt(node, node.op, node.left, node.right)

    def visit_UnaryOp(self, node):
        self._spelt(node, node.op, node.operand)

    def visit_Compare(self, node):
        self._spelt(node, node.ops[0], node.left, *node.comparators)

    def _called(self, function):
        if name := named(function):
            return name
        if isinstance(function, ast.Attribute) and function.attr in self.methods:
            return names.operator_of(f"torch.Tensor.{function.attr}")
        return ""

    def _is_tensor(self, node):
        if isinstance(node, ast.Name):
            return node.id in self.tensors[-1]
        if isinstance(node, ast.Call):
            return bool(self._called(node.func))
        if isinstance(node, ast.BinOp):
            return self._is_tensor(node.left) or self._is_tensor(node.right)
        return isinstance(node, ast.UnaryOp) and self._is_tensor(node.operand)

    def _spelt(self, node, op, *operands):
        spelt = SPELT.get(type(op).__name__, type(op).__name__.lower().replace("matmult", "matmul"))
        if hasattr(torch.Tensor, f"__{spelt}__") and any(map(self._is_tensor, operands)):
            self.names.append(names.operator_of(f"torch.Tensor.__{spelt}__"))
        self.generic_visit(node)


def dtypes_in(node):
    """The dtypes that an expression names; None where it names none."""
    found = {SHORT.get(one.id) for one in ast.walk(node) if isinstance(one, ast.Name)}
    found |= {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    return {getattr(torch, name) for name in found if name and isinstance(getattr(torch, name, None), torch.dtype)} or None


def is_whole(node, database):
    """Whether an expression is the whole database, possibly with others: no filter, no comprehension, no slice but one
    from START to END, which are its ends unless the environment says else."""
    if isinstance(node, ast.BinOp):
        return is_whole(node.left, database) or is_whole(node.right, database)
    if isinstance(node, ast.Call) and dotted(node.func) == ["itertools", "chain"]:
        return any(is_whole(one, database) for one in node.args)
    if isinstance(node, ast.Subscript):
        return is_whole(node.value, database) and {one.id for one in ast.walk(node.slice) if isinstance(one, ast.Name)} == {
            "START", "END"}
    return isinstance(node, ast.Name) and node.id == database


class Database:
    """How many samples the entries of the databases of the installed torch have: (operator, dtype) -> samples."""

    def __init__(self):
        from torch.testing._internal.common_methods_invocations import op_db
        from torch.testing._internal.common_modules import module_db

        self.operators = [(f"{op.name}.{op.variant_test_name}".rstrip("."), op, self._name(op)) for op in op_db]
        self.modules = module_db
        self.kept = {}

    @staticmethod
    def _name(op):
        return names.operator_of(op.name if op.name.startswith("torch.") else f"torch.{op.name}")

    def samples(self, op, dtype):
        """Counted in one dtype, the entry's first, for all."""
        if id(op) not in self.kept:
            try:
                self.kept[id(op)] = sum(1 for _ in op.sample_inputs("cpu", dtype, requires_grad=False))
            except Exception:  # made for another device
                self.kept[id(op)] = 0
        return self.kept[id(op)]

    def calls(self, allowed, one_sample):
        """[(operator, calls)] of a test that goes through all samples of the operator database."""
        for full, op, name in self.operators:
            dtypes = [one for one in sorted(op.dtypes, key=str) if allowed is None or one in allowed]
            once = one_sample.get(full, ())
            yield name, sum(min(1, self.samples(op, one)) if one in once else self.samples(op, one) for one in dtypes)

    def module_calls(self, allowed):
        for info in self.modules:
            dtypes = [one for one in info.dtypes if allowed is None or one in allowed]
            inputs = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=True)
            yield f"nn.{info.module_cls.__name__}", len(list(inputs)) * len(dtypes)


def one_sample_of(whole):
    """`inductor_one_sample["cpu"]` of a file: {entry: dtypes that are tested with one sample}."""
    for node in whole.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "inductor_one_sample['cpu']":
            return {ast.literal_eval(key): dtypes_in(value) or () for key, value in zip(node.value.keys, node.value.values)}
    return {}


def default_dtypes(whole):
    """The dtypes of a file's own `_ops = partial(ops, …, allowed_dtypes=[…])`."""
    for node in whole.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ops":
            return dtypes_in(node.value)
    return None


def tests_of_databases(whole, database):
    """[(test, [(operator, calls)])] of a file's tests that go through a whole database."""
    for node in ast.walk(whole):
        for mark in getattr(node, "decorator_list", ()):
            if not isinstance(mark, ast.Call) or not isinstance(mark.func, ast.Name) or not mark.args:
                continue
            if mark.func.id in ("ops", "_ops") and is_whole(mark.args[0], "op_db"):
                if any(key.arg == "dtypes" for key in mark.keywords):  # on other devices
                    continue
                named_dtypes = [dtypes_in(key.value) for key in mark.keywords if key.arg == "allowed_dtypes"]
                allowed = named_dtypes[0] if named_dtypes else default_dtypes(whole) if mark.func.id == "_ops" else None
                yield node.name, database.calls(allowed, one_sample_of(whole))
            elif mark.func.id == "modules" and is_whole(mark.args[0], "module_db"):
                named_dtypes = [dtypes_in(key.value) for key in mark.keywords if key.arg == "allowed_dtypes"]
                yield node.name, database.module_calls(named_dtypes[0] if named_dtypes else None)


def trees_below(base, places):
    for place in places:
        path = base / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.exists():
            yield file, ast.parse(file.read_text(encoding="utf-8"))


def in_tests(base):
    """(counts, what they are counts of) of a source tree."""
    operators, methods, database = known(), tensor_methods(), Database()
    written, sampled, tests, files = collections.Counter(), collections.Counter(), [], 0
    for file, whole in trees_below(base, TESTS):
        calls = Calls(methods)
        calls.visit(whole)
        written.update(name for name in calls.names if name in operators)
        for test, counted in tests_of_databases(whole, database):
            tests.append(f"{file.relative_to(base)}: {test}")
            sampled.update(dict_of(counted))
        files += 1
    if not files:
        sys.exit(f"{base} is no source tree of torch: it has none of {', '.join(TESTS)}")
    version = (base / "version.txt").read_text().strip() if (base / "version.txt").exists() else "unknown"
    return written + sampled, {
        "source": f"calls in {files} test files of the source tree of torch {version}, {sum(written.values())} as written and "
                  f"{sum(sampled.values())} of samples of the databases of torch {torch.__version__} in {len(tests)} tests",
        "files": list(TESTS), "whole_databases": tests, "tests_of": version}


def dict_of(pairs):
    """The sums by name."""
    sums = collections.Counter()
    for name, count in pairs:
        sums[name] += count
    return sums


def in_compiler():
    """(counts, what they are counts of) of the installed wheel."""
    operators, counts, files = known(), collections.Counter(), 0
    for _, whole in trees_below(pathlib.Path(torch.__file__).parent, COMPILER):
        mentions = Mentions()
        mentions.visit(whole)
        counts.update(name for name in mentions.names if name in operators)
        files += 1
    return counts, {"source": f"mentions of operators in {files} Python files that the wheel of torch {torch.__version__} ships "
                              "of its compiler and of that one's test helpers", "files": list(COMPILER)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, help="a source tree of torch")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "corpus/harvest/compiler_calls.json")
    options = parser.parse_args()
    counts, told = in_tests(options.source) if options.source else in_compiler()
    told |= {"by": "scripts/count_compiler_calls.py" + " --source FOLDER" * bool(options.source), "torch": torch.__version__}
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(told | {"counts": dict(sorted((+counts).items()))}, indent=1) + "\n", encoding="utf-8")
    print(f"{len(+counts)} operators: {told['source']}: {options.out}")


if __name__ == "__main__":
    main()
