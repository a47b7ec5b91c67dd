"""What a program holds between its calls: the data of its state, and where leaves are looked for.

State are the data among its globals, and the attributes of its classes and functions, with what functions have from the
functions around them. Functions in these are no data, nor are defaults: steps of mutations put functions around others and
give functions of their own defaults, which must not change what counts as state.
"""

import enum
import types

from ..compat import compiler
from . import backward, leaves

_OWN_NAMES = {"make_inputs", "before_call", "observe", "COMPILE_OPTIONS"}
_CODE = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, staticmethod, classmethod, property)
_NO_DATA = (*_CODE, types.MemberDescriptorType, types.GetSetDescriptorType)
_CONSTANTS = (type(None), bool, int, float, complex, str, bytes, type(...))


class Held:
    """Of one program, loaded as `module`. `own_names`, `rebound`: as load.own_names() and load.rebound_names() give them."""

    def __init__(self, module, own_names, rebound):
        self.module = module
        self.own_names = own_names
        self.rebound = rebound
        self.seen = set()

    def globals(self):
        return {
            name: item
            for name, item in self.module.__dict__.items()
            if self._is_own(name) and name not in _OWN_NAMES and not isinstance(item, types.ModuleType)
        }

    def _is_own(self, name):
        # Dynamo's own globals begin like this, too.
        return not name.startswith("__") and (self.own_names is None or name in self.own_names)

    def state(self):
        """{label: value} of the data."""
        data, held = {}, self.globals()
        classes = [item for item in held.values() if isinstance(item, type)]
        self.seen = {id(item) for item in classes}  # a class that another holds is listed where it is a global
        for name, item in held.items():
            if name in self.rebound and isinstance(item, (types.FunctionType, types.BuiltinFunctionType)):
                data[name] = _which(item)
            if isinstance(item, type):
                data.update(self._of_class(name, item))
            elif isinstance(item, types.FunctionType):
                data.update(self._of_function(name, item))
            elif not isinstance(item, _NO_DATA) and not name.startswith(compiler.FUNCTION_MARK):
                data[name] = item
        return data

    def of_classes(self, classes):
        """{label: value} of the data of classes that no global names, as far as state() has not given them."""
        data, names = {}, set()
        for kind in classes:
            if id(kind) in self.seen:
                continue
            self.seen.add(id(kind))
            name = kind.__qualname__
            while name in names:  # each call of the function that makes it makes another one
                name += "'"
            names.add(name)
            data.update(self._of_class(name, kind))
        return data

    def leaves(self, arguments, first):
        """{name: leaf} before a call. After the `first` one, graphs behind what the state holds are the compiler's, too, and
        aren't followed."""
        return leaves.find(self._roots(arguments), None if first else {"inputs"})

    def further_leaves(self, arguments, found):
        """{name: leaf} of those that the call has brought, after it; `found`: those before it."""
        return leaves.find_more(self._roots(arguments), found)

    def graphs(self, arguments):
        """The tensors in the arguments and the data that an autograd graph has computed."""
        return backward.graphs_in([arguments, *self.state().values()])

    def _roots(self, arguments):
        """{name: value} of where leaves are looked for."""
        roots = {"inputs": arguments, **{_of_global(name): item for name, item in self.globals().items()}}
        for label, item in self.state().items():
            roots.setdefault(_of_global(label), item)
        return roots

    def _of_class(self, name, kind):
        if kind.__module__ != self.module.__name__:
            return
        for key, value in list(vars(kind).items()):
            if issubclass(kind, enum.Enum):
                if key[0] == "_" and key[-1] == "_":  # its tables list each member again
                    continue
                if isinstance(value, kind):
                    yield from _of_member(f"{name}.{key}", value)
            if _is_data(key, value):
                yield f"{name}.{key}", value
            elif isinstance(value, type) and value.__module__ == self.module.__name__ and id(value) not in self.seen:
                self.seen.add(id(value))
                yield from self._of_class(f"{name}.{key}", value)
            else:
                for function in _functions_of(value):
                    if not (key.startswith("__") and function.__code__.co_filename.startswith("<")):  # a dataclass's
                        yield from self._of_function(f"{name}.{key}", function)

    def _of_function(self, name, function):
        if function.__module__ != self.module.__name__:
            return
        for key, value in vars(function).items():
            if _is_data(key, value):
                yield f"{name}.{key}", value
        if function.__globals__ is self.module.__dict__:
            for variable, value in leaves.cells_of(function):
                if _is_data(variable, value):
                    yield f"{name}'s {variable}", value


def _of_global(name):
    """How gradients of what a global holds are labelled."""
    return "global inputs" if name == "inputs" else name  # "inputs" are the arguments


def _is_data(name, value):
    # Dynamo sets attributes on functions that it has seen, some of which are IDs.
    return not name.startswith(("__", compiler.FUNCTION_MARK)) and not isinstance(value, _NO_DATA)


def _is_constant(value):
    return isinstance(value, _CONSTANTS) or type(value) is tuple and all(map(_is_constant, value))


def _of_member(name, member):
    """What an enumeration's member holds that can change."""
    value = vars(member).get("_value_")  # the class may have a property of its own
    if not _is_constant(value) and not isinstance(value, _NO_DATA):
        yield f"{name}.value", value
    for key, value in vars(member).items():
        if not (key[0] == "_" and key[-1] == "_") and not key.startswith("_sort_order") and _is_data(key, value):
            yield f"{name}.{key}", value


def _functions_of(x):
    """The functions of a method, a property and the like."""
    if isinstance(x, (staticmethod, classmethod)):
        x = x.__func__
    parts = (x.fget, x.fset, x.fdel) if isinstance(x, property) else (x,)
    return [part for part in parts if isinstance(part, types.FunctionType)]


def _which(function):
    """A text that tells a function from others: its name, and of a lambda what it computes."""
    code = getattr(function, "__code__", None)
    if code is None or function.__name__ != "<lambda>":
        return function.__qualname__
    plain = [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)]
    return f"{function.__qualname__} {code.co_code.hex()} {code.co_names} {code.co_varnames} {plain}"
