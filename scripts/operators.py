"""Writes core/operators.tsv: what the installed torch says of its operators, beside our own columns.

    operators.py            asks torch, keeps our columns as they are in the table, and writes the table
    operators.py --check    says what the table has otherwise than this torch, a sentence a row and column

The columns are described in docs/operators.md. Torch is asked through its schemas (`torch._C._jit_get_all_schemas`), the tags
of `torch.ops.aten`, the operator database of its tests, its reference implementations, and its Python names; what none of
these says is tried on the operator database's sample inputs. To describe an operator that has no row yet, add a line with
its name and our columns ("-" in the others) and run this.

--check exits 1 when the table was made from this very version and differs, 0 when it comes from another one.
"""

import argparse
import collections
import inspect
import operator
import re
import sys
import warnings

import torch
import torch.nn.functional as F
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode

from operator_calls import WRITES, shares_memory
from operator_samples import NAMESPACES, Tried
from operator_table import OURS, TABLE, differences, read_table, write_table

# What the name in a namespace is in aten and in the operator database.
ATEN = {"t": "", "m": "", "f": "", "s": "special_", "l": "linalg_", "x": ""}
DATABASE = {"t": "", "m": "", "f": "nn.functional.", "s": "special.", "l": "linalg.", "x": "fft."}
TAGS = ["pointwise", "reduction", "view_copy", "nondeterministic_seeded", "dynamic_output_shape", "data_dependent_output", "inplace_view"]
KINDS = {
    "bool": [torch.bool],
    "int": [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64],
    "half": [torch.float16, torch.bfloat16],
    "float": [torch.float32, torch.float64],
    "complex": [torch.complex64, torch.complex128],
}
# Parameters that say how or where a result is made and not what of. Some spellings have them and others don't: a signature
# ends in front of the first one.
HOW = {"dtype", "out", "inplace", "memory_format", "layout", "device", "pin_memory", "generator", "requires_grad", "_stacklevel", "names",
       "size_average", "reduce", "cudnn_enable", "use_input_stats", "out_dtype", "_random_samples"}
SYMBOLS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
           "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
           ">>": operator.rshift, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
           ">=": operator.ge}
UNARY_SYMBOLS = {"-": operator.neg, "~": operator.invert}
# Overloads of aten that carry Python's own names.
SHIFTS = {"__lshift__": "bitwise_left_shift", "__rshift__": "bitwise_right_shift"}


def removed(function):
    """A name that torch keeps to say what has come in its place."""
    in_torch = getattr(torch, getattr(function, "__name__", ""), None)
    return inspect.isfunction(in_torch) and in_torch.__module__ == "torch._linalg_utils" and "is now removed" in inspect.getsource(in_torch) \
        and getattr(function, "__module__", "") in ("torch._linalg_utils", "torch._tensor")


def takes_tensor(function):
    """A function written in Python whose first parameter is a tensor."""
    if not inspect.isfunction(function):
        return False
    parameters = list(inspect.signature(function).parameters.values())
    return bool(parameters) and parameters[0].annotation is torch.Tensor and not function.__name__.startswith("_")


def aten_schemas():
    """name -> schemas of aten that take or give tensors, but for those with named dimensions."""
    found = collections.defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        if not schema.name.startswith("aten::"):
            continue
        if "Tensor" in str(schema) and "Dimname" not in str(schema):
            found[schema.name[6:]].append(schema)
    return found


def written(schema):
    return [argument.name for argument in schema.arguments if argument.alias_info and argument.alias_info.is_write]


def plain(schemas):
    """Those that write nothing."""
    return [schema for schema in schemas if not written(schema)]


class Torch:
    def __init__(self):
        self.schemas = aten_schemas()
        # torch.nn.functional.logsigmoid is aten::log_sigmoid.
        for name in dir(F):
            if not self.schemas.get(name) and inspect.isbuiltin(getattr(F, name)):
                self.schemas[name] = next((them for its, them in list(self.schemas.items()) if its.replace("_", "") == name), [])
        self.database = collections.defaultdict(list)
        for op in op_db:
            for name in {op.name, *(alias.name for alias in op.aliases)}:
                self.database[name].append(op)
        self.symbols = self.read_symbols()
        self.modules = {name.lower(): getattr(torch.nn, name) for name in dir(torch.nn) if inspect.isclass(getattr(torch.nn, name))}

    @staticmethod
    def read_symbols():
        """name -> symbol, by what each comes to."""
        seen = []

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(function.overloadpacket.__name__)
                return function(*args, **(kwargs or {}))

        found = {}
        x = torch.ones(2, 2, dtype=torch.int64)
        for table, operands in ((SYMBOLS, (x, x)), (UNARY_SYMBOLS, (x,))):
            for symbol, call in table.items():
                seen.clear()
                with Mode():
                    call(*operands)
                name = {"mm": "matmul"}.get(seen[0], seen[0])
                found[SHIFTS.get(name, name)] = symbol
        return found

    def names(self):
        """Every operator with a spelling, by its name in torch's namespaces."""
        found = set()
        for namespace, prefix in ATEN.items():
            for name in dir(NAMESPACES[namespace]):
                tensors = any(any("Tensor" in str(one.type) for one in schema.returns) for schema in plain(self.schemas[prefix + name]))
                known = tensors or DATABASE[namespace] + name in self.database
                known = known or (namespace == "f" and takes_tensor(getattr(F, name)))
                if not name.startswith("_") and not name.endswith("_") and known and callable(getattr(NAMESPACES[namespace], name)):
                    found.add(name)
        # Those of which there is the form in place alone.
        found |= {name[:-1] for name in dir(torch.Tensor) if not name.startswith("_") and name.endswith("_") and self.schemas.get(name)}
        return found

    @staticmethod
    def spellings(name):
        """Rooms in which something of that name can be called."""
        return "".join(namespace for namespace, module in NAMESPACES.items() if callable(getattr(module, name, None)) and not removed(getattr(module, name)))

    def signatures(self, name, namespace):
        """[[(parameter, has a default)]] of the name in a namespace, one for each overload."""
        function = getattr(NAMESPACES[namespace], name)
        if inspect.isfunction(function):
            made = []
            for parameter in inspect.signature(function).parameters.values():
                if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                    break
                made.append((parameter.name, parameter.default is not parameter.empty))
            if made:
                return [made]
        made = []
        overloads = plain(self.schemas[ATEN[namespace] + name])
        tensors = any(schema.overload_name == "Tensor" for schema in overloads)
        for schema in overloads:
            # Where a tensor may stand for the number, that overload's signature is Python's.
            if tensors and schema.overload_name == "Scalar":
                continue
            arguments = [one for one in schema.arguments if not one.kwarg_only]
            # Sizes that a method takes one by one stand otherwise as a function's argument.
            if namespace == "m" and len(arguments) > 1 and str(arguments[1].type) == "List[int]" and arguments[1].N is None:
                arguments = arguments[:1]
            made.append([(one.name, one.has_default_value()) for one in arguments])
        return made

    def parameters(self, name):
        """Those that may stand by position, "input" for the first tensor; with "=" where they may be left out. Of several
        overloads: the default one, as far as those which continue it go on alike; of several namespaces: as far as they agree."""
        agreed = None
        for namespace in self.spellings(name):
            overloads = []
            for signature in self.signatures(name, namespace):
                cut = []
                for parameter, default in signature:
                    if parameter in HOW:
                        break
                    cut.append(("input" if parameter == "self" else parameter, default))
                overloads.append(cut)
            if not overloads:
                continue
            joined = self.joined(overloads)
            agreed = joined if agreed is None else common(agreed, joined)
        return " ".join(parameter + ("=" if default else "") for parameter, default in agreed or []) + self.keywords(name) or "-"

    def keywords(self, name):
        """" *" and what is given by keyword alone, in each overload and namespace."""
        namespaces = [set.intersection(*({one.name for one in schema.arguments if one.kwarg_only} for schema in schemas))
                 for namespace in self.spellings(name) if (schemas := plain(self.schemas[ATEN[namespace] + name]))]
        words = sorted(set.intersection(*namespaces) - HOW) if namespaces else []
        return "".join([" *", *(f" {word}=" for word in words)]) if words else ""

    @staticmethod
    def joined(overloads):
        first = min(overloads, key=len)
        longer = [one for one in overloads if [name for name, _ in one[:len(first)]] == [name for name, _ in first]]
        whole = longer[0] if len(longer[0]) > len(first) or len(longer) == 1 else longer[1]
        for one in longer:
            if len(one) > len(first):
                whole = common(whole, one) if whole is not one else whole
        # What the shortest overload doesn't have may be left out.
        return [(name, default or place >= len(first)) for place, (name, default) in enumerate(whole)]

    def schemas_of(self, name):
        found = []
        for namespace in self.spellings(name):
            found += [schema for schema in plain(self.schemas[ATEN[namespace] + name]) if schema not in found]
        return found

    def in_place(self, name):
        if not self.schemas[name + "_"]:
            return "".join(namespace for namespace in "mf" if callable(getattr(NAMESPACES[namespace], name + "_", None))) or "-"
        return "".join(namespace for namespace in "tmf" if callable(getattr(NAMESPACES[namespace], name + "_", None))) or "-"

    def returns(self, name):
        """"one" tensor, "list" of them, a count, "number"; several where overloads differ."""
        kinds = []
        for schema in self.schemas_of(name):
            types = [str(one.type) for one in schema.returns]
            kind = "number"
            if any("Tensor" in text for text in types):
                kind = str(len(types)) if len(types) > 1 else "list" if "List" in types[0] or "[]" in types[0] else "one"
            kinds.append(kind)
        return ",".join(sorted(set(kinds))) or "-"

    def aliases(self, name):
        """Some result may share memory with an operand, as the schemas say."""
        return any(one.alias_info and not one.alias_info.is_write for schema in self.schemas_of(name) for one in schema.returns)

    def entries(self, name):
        """Of the operator database; of several variants all, of several namespaces the first."""
        for namespace in self.spellings(name):
            if found := self.database.get(DATABASE[namespace] + name):
                return found, namespace
        return [], ""

    def tags(self, name, draws):
        found = {"nondeterministic_seeded"} if draws else set()
        for namespace in self.spellings(name):
            packet = getattr(torch.ops.aten, ATEN[namespace] + name, None)
            if packet is None or not plain(self.schemas[ATEN[namespace] + name]):
                continue
            for overload in packet.overloads():
                if "out" not in overload:
                    found |= {str(tag).removeprefix("Tag.") for tag in getattr(packet, overload).tags}
        if written_in_place := getattr(torch.ops.aten, name + "_", None):
            wanted = {"inplace_view"} if self.spellings(name) else set(TAGS)
            found |= wanted & {str(tag).removeprefix("Tag.") for overload in written_in_place.overloads() for tag in
                                         getattr(written_in_place, overload).tags}
        return " ".join(tag for tag in TAGS if tag in found) or "-"

    def promotion(self, name):
        import torch._refs
        import torch._refs.linalg
        import torch._refs.nn.functional
        import torch._refs.special
        for namespace in (torch._refs, torch._refs.nn.functional, torch._refs.special, torch._refs.linalg):
            if kind := promotion_kind(getattr(namespace, name, None)):
                return kind
        return "-"

    def module(self, name, parameters):
        """The class of torch.nn whose constructor takes what comes behind the input, with the same defaults."""
        made = self.modules.get(name.replace("_", ""))
        if made is None or not parameters.startswith("input"):
            return "-"
        parameters = parameters.replace(" *", "")
        own = inspect.signature(made).parameters
        defaults = self.defaults(name)
        for parameter in parameters.split(" ")[1:]:
            parameter = parameter.rstrip("=")
            if parameter not in own:
                return "-"
            mine, its = own[parameter].default, defaults.get(parameter, inspect.Parameter.empty)
            # Sizes that are alike may be one number.
            if isinstance(its, (list, tuple)) and len(set(its)) == 1:
                its = its[0]
            if mine != its and (mine or its) and inspect.Parameter.empty not in (mine, its):
                return "-"
        needed = {parameter.rstrip("=") for parameter in parameters.split(" ")}
        extra = [one for one in own.values() if one.default is one.empty and one.name not in needed and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        return "-" if extra else made.__name__

    def defaults(self, name):
        function = getattr(F, name, None)
        if inspect.isfunction(function) and "args" not in inspect.signature(function).parameters:
            return {one.name: one.default for one in inspect.signature(function).parameters.values()}
        found = {}
        for schema in self.schemas_of(name):
            found |= {one.name: one.default_value for one in schema.arguments if one.has_default_value()}
        return found

    def functions(self, name):
        return [getattr(NAMESPACES[namespace], name) for namespace in self.spellings(name)]

    def row(self, name):
        entries, namespace = self.entries(name)
        schemas = self.schemas_of(name)
        tried = Tried(name, entries, namespace, schemas)
        namespaces = tried.namespaces(self.spellings(name))
        parameters = tried.named(self.parameters(name), namespaces)
        # Schemas know when nothing may be shared, or nothing else, but for functions that hand back what needs no change; the rest
        # is tried.
        result = tried.result
        if self.aliases(name):
            result = "view" if self.schemas[name + "_copy"] or result == "view" else "either"
        elif schemas and result in ("-", "new") and not name.startswith("unsafe_"):
            result = "either" if shares_memory(name, self.functions(name)) else "new"
        in_place = self.in_place(name)
        writes = sorted({one for schema in self.schemas[name + "_"] for one in written(schema)})
        return {
            "name": name,
            "parameters": parameters,
            "spellings": namespaces or "-",
            "symbol": f"'{self.symbols[name]}'" if name in self.symbols else "-",
            "module": self.module(name, parameters),
            "in_place": in_place,
            "out": tried.out(namespaces),
            "foreach": tried.foreach(),
            "aten": tried.aten(plain(self.schemas[name])),
            "returns": self.returns(name),
            "result": result,
            "writes": " ".join(one for one in writes if one != "self") or WRITES.get(name, "-"),
            "dtypes": kinds_text(tried.dtypes),
            "backward": kinds_text(tried.backward),
            "promotion": self.promotion(name),
            "tags": self.tags(name, tried.draws),
        }


def common(one, other):
    made = []
    for (name, default), (its, its_default) in zip(one, other):
        if name != its:
            break
        made.append((name, default or its_default))
    return made


def promotion_kind(function, depth=0):
    """The kind that a reference implementation's decorator was made with."""
    if function is None or depth > 4 or not hasattr(function, "__closure__"):
        return ""
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        kind = getattr(value, "type_promotion_kind", value)
        if type(kind).__name__ == "ELEMENTWISE_TYPE_PROMOTION_KIND":
            return kind.name.lower()
    for cell in function.__closure__ or ():
        if kind := promotion_kind(cell.cell_contents, depth + 1):
            return kind
    return ""


def kinds_text(dtypes):
    """"bool int half float complex": kinds of which all are taken, and the names of others."""
    words = []
    for kind, members in KINDS.items():
        taken = [dtype for dtype in members if dtype in dtypes]
        words += [kind] if taken == members else [str(dtype).removeprefix("torch.") for dtype in taken]
    return " ".join(words) or "-"


def made_rows(kept):
    known = Torch()
    rows = []
    for name in sorted(known.names() | set(kept)):
        row = known.row(name)
        rows.append(row | {column: kept.get(name, {}).get(column, "-") for column in OURS})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    mine = torch.__version__.split("+")[0]
    kept, version = read_table(TABLE) if TABLE.exists() else ({}, "")
    rows = made_rows(kept)
    if not options.check:
        write_table(rows, mine)
        print(f"{TABLE}: {len(rows)} operators")
        return 0
    found = list(differences(rows, kept))
    for sentence in found:
        print(sentence)
    print(f"core/operators.tsv: {len(found)} differences between torch {version}, from which it was made, and this torch {mine}")
    return 1 if found and re.sub(r"[^0-9.]", "", version) == mine else 0


if __name__ == "__main__":
    sys.exit(main())
