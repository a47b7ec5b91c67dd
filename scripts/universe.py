"""Writes seedgen/universe.tsv: every function of torch that takes or gives tensors, its parameters, and the dtypes of its input.

    universe.py            asks the installed torch and writes the table
    universe.py --check    exits 1 when the table was made from this very version of torch and differs

tests/seedgen/check_complete.py compares what the generator draws with it. Nothing here knows the generator: parameters come of torch's
schemas (`torch._C._jit_get_all_schemas`) and of the signatures of its Python functions, dtypes of the operator database of its tests.

Columns: `function` (a method stands with the function of its name, or else as Tensor.NAME); `signatures`, one for each overload, with
` | ` between them: parameters in order, each with its kind behind a colon (T a tensor, L several, n a number, o anything else, ? one that
Python's signature doesn't say) and `=` where it may be left out, `*` in front of those given by keyword alone; `dtypes` of the input on
a CPU, "-" where the database doesn't have the function.
"""

import argparse
import collections
import inspect
import itertools
import pathlib
import re
import sys
import warnings

import torch
import torch.nn.functional as F
from torch.testing._internal import common_methods_invocations as database

TABLE = pathlib.Path(__file__).parents[1] / "seedgen" / "universe.tsv"
NAMESPACES = {"torch": torch, "torch.nn.functional": F, "torch.special": torch.special, "torch.linalg": torch.linalg, "torch.fft": torch.fft,
         "Tensor": torch.Tensor}
ATEN = {"torch": "", "torch.nn.functional": "", "torch.special": "special_", "torch.linalg": "linalg_", "torch.fft": "", "Tensor": ""}
DISPATCHED = set(torch._C._dispatch_get_all_op_names())
STUBS = (pathlib.Path(torch.__file__).parent / "_C" / "_VariableFunctions.pyi").read_text()
# Functions of torch's own that take `out=`.
TAKES_OUT = set(re.findall(r"def (\w+)\((?:[^()]|\([^()]*\))*\bout: ", STUBS))
DATABASES = [database.op_db, *(getattr(database, name) for name in sorted(dir(database)) if name.startswith("foreach_") and name.endswith("_op_db"))]


def kind_of(type_text):
    if "Tensor" in type_text:
        return "L" if "List" in type_text or "[]" in type_text else "T"
    return "n" if type_text.removeprefix("Optional[").rstrip("]") in ("number", "int", "float", "Scalar") else "o"


def of_schema(schema):
    made = []
    star = False
    for argument in schema.arguments:
        if argument.kwarg_only and not star:
            star = True
            made.append("*")
        name = "input" if argument.name == "self" else argument.name
        # For several results torch's Python takes a tuple as `out`.
        if argument.is_out if hasattr(argument, "is_out") else argument.alias_info and argument.kwarg_only:
            name = "out"
            if made[-1].startswith("out:"):
                made[-1] = "out:L="
                continue
        made.append(f"{name}:{kind_of(str(argument.type))}" + ("=" if argument.has_default_value() or name == "out" else ""))
    return " ".join(made)


def of_function(function):
    made = []
    star = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind == parameter.VAR_KEYWORD:
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not star:
            star = True
            made.append("*")
        if parameter.kind == parameter.VAR_POSITIONAL:
            made.append(f"{parameter.name}:L")
            continue
        name = "input" if parameter.name == "self" else parameter.name
        made.append(f"{name}:?" + ("" if parameter.default is parameter.empty else "="))
    return " ".join(made)


def plain_python(function, name):
    """F.max_pool2d and torch.unique dispatch by a flag: the signature is that of the function behind them."""
    if list(inspect.signature(function).parameters) != ["args", "kwargs"]:
        return function
    behind = (getattr(F, name + "_with_indices", None), getattr(torch.functional, f"_{name}_impl", None))
    return next(one for one in behind if one is not None)


def signatures_of(namespace, name, schemas):
    function = getattr(NAMESPACES[namespace], name)
    if inspect.isfunction(function):
        return [of_function(plain_python(function, name))]
    found = schemas.get(ATEN[namespace] + ("fft_" if namespace == "torch.fft" else "") + name, [])
    if not found and namespace == "torch.nn.functional":  # torch.nn.functional.logsigmoid is aten::log_sigmoid
        found = next((them for its, them in sorted(schemas.items()) if its.replace("_", "") == name), [])
    takes_out = namespace != "Tensor" and (namespace != "torch.nn.functional" or getattr(torch, name, None) is function)
    return sorted({of_schema(one) for one in found if takes_out or not one.overload_name.endswith("out")})


def in_python(schema):
    """Not of TorchScript alone, and not generated from another overload, unless Python's stubs know it."""
    name = f"{schema.name}.{schema.overload_name}".rstrip(".")
    if name not in DISPATCHED:
        return False
    overload = getattr(getattr(torch.ops.aten, schema.name[6:]), schema.overload_name or "default")
    return torch.Tag.generated not in overload.tags or schema.name[6:] in TAKES_OUT


def schemas_by_name():
    found = collections.defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        text = str(schema)
        if schema.name.startswith("aten::") and "Dimname" not in text and "Tensor" in text and in_python(schema):
            found[schema.name[6:]].append(schema)
    return found


def dtypes_by_name():
    """The database's names are those behind `torch.`; of variants the union. An alias has what it stands for."""
    found = collections.defaultdict(set)
    for op in (op for one in DATABASES for op in one):
        dtypes = set(op.supported_dtypes("cpu"))
        if op.name.startswith("_foreach_"):  # the database names more dtypes than there are kernels
            dtypes = {dtype for dtype in dtypes if works(op, op.op, dtype)}
        in_place = {dtype for dtype in dtypes if op.get_inplace() and works(op, op.get_inplace(), dtype)}
        for name in {op.name, *(alias.name for alias in op.aliases)}:
            found["torch." + name] |= dtypes
            found[f"torch.{name}_"] |= in_place
    return {name: {str(dtype).removeprefix("torch.") for dtype in dtypes} for name, dtypes in found.items()}


def works(op, function, dtype):
    """Whether a form of the operator accepts one of the first samples of that dtype."""
    torch.manual_seed(0)
    for sample in itertools.islice(op.sample_inputs("cpu", dtype), 6):
        given = [one.clone() for one in sample.input] if isinstance(sample.input, (list, tuple)) else sample.input.clone()
        keywords = {name: value for name, value in sample.kwargs.items() if name not in ("zero_size", "disable_fastpath")}
        try:
            function(given, *sample.args, **keywords)
            return True
        except Exception:  # noqa: BLE001: whatever it refuses with, it refuses
            continue
    return False


def removed(function):
    """A name that torch keeps to say what has come in its place."""
    ours = inspect.isfunction(function) and (function.__module__ or "").startswith("torch.")
    return ours and "is now removed" in inspect.getsource(function)


def functions():
    schemas, dtypes = schemas_by_name(), dtypes_by_name()
    for namespace, module in NAMESPACES.items():
        for name in sorted(dir(module)):
            private = name.startswith("_") and not name.startswith("_foreach_")
            if private or not callable(getattr(module, name)) or inspect.isclass(getattr(module, name)) or removed(getattr(module, name)):
                continue
            if namespace == "Tensor" and not name.startswith("_foreach") and hasattr(torch, name) and schemas.get(name):
                continue
            signatures = signatures_of(namespace, name, schemas)
            known = dtypes.get(f"torch.{name}" if namespace == "Tensor" else f"{namespace}.{name}", set())
            if inspect.isfunction(getattr(module, name)) and not known and namespace in ("torch", "Tensor") and name not in torch.functional.__all__:
                continue
            if signatures:
                yield f"{namespace}.{name}", " | ".join(signatures), " ".join(sorted(known)) or "-"


def text():
    lines = [f"# Written by scripts/universe.py, which says what the columns are; its torch: {torch.__version__.split('+')[0]}",
             "function\tsignatures\tdtypes"]
    return "\n".join(lines + sorted("\t".join(row) for row in functions())) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    made = text()
    if not arguments.check:
        TABLE.write_text(made)
        return 0
    have = TABLE.read_text()
    if made == have:
        print(f"{TABLE.name} is what this torch says")
        return 0
    same_version = made.splitlines()[0] == have.splitlines()[0]
    for line in sorted(set(made.splitlines()) ^ set(have.splitlines()))[:40]:
        print(("this torch: " if line in made.splitlines() else "the table:  ") + line)
    return 1 if same_version else 0


if __name__ == "__main__":
    sys.exit(main())
