"""Finds the tensors that accumulate gradients, and others, in what a program holds."""

import collections
import functools
import sys
import types

import torch

from ..compat import compiler, eager
from .contents import SEQUENCES, attributes_of, items_of, pairs_of

_DEEPEST = 20
_PLAIN = (torch.Tensor, bool, int, float, complex, str)
_MOST_PLAIN = 1000
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
# In torch's attributes of a module, apart from those that programs set.
MODULE_INTERNALS = frozenset(vars(torch.nn.Module())) - {"training"}
_OF_THE_LIBRARY = ("_",)
_LIBRARIES = {"torch", "numpy", *sys.stdlib_module_names}
_HOLDERS = (torch.Tensor, list, tuple, dict, collections.deque, types.FunctionType, types.SimpleNamespace, functools.partial)


def find(roots, with_graphs=None):
    """{name: leaf} of all leaf tensors that require gradients and are reachable from `roots` ({name: value}) through
    containers, attributes and modules, including the leaves of the graphs of tensors that are no leaves, in all roots or in
    those that `with_graphs` names. If a leaf has several names, the first one counts."""
    search = _Search()
    with eager.DisableTorchFunction():
        for name, root in roots.items():
            search.behind = with_graphs is None or name in with_graphs
            search.visit(name, root, 0)
    return search.leaves


def find_more(roots, known):
    """As find(), after the call: {name: tensor} of the leaves that have come since, which are not among those of `known`
    ({name: leaf}), of leaves that have a gradient though they require none, and of tensors whose gradient is kept
    (`retain_grad`)."""
    search = _Search(known)
    with eager.DisableTorchFunction():
        for name, root in roots.items():
            search.visit(name, root, 0)
    return search.leaves


def is_plain(x):
    """Whether a value consists of a few tensors, numbers and strings in plain containers, and holds no code that could
    run."""
    waiting = [x]
    for _ in range(_MOST_PLAIN):
        if not waiting:
            return True
        x = waiting.pop()
        if type(x) in (list, tuple):
            waiting += x
        elif type(x) is dict:
            waiting += x.values()
        elif x is not None and type(x) not in _PLAIN:
            return False
    return False


class _Search:
    """`former`: the leaves that an earlier search has found, {name: leaf}; this one then looks for others."""

    def __init__(self, former=None):
        self.again = former is not None
        self.behind = True
        self.names = set(former or ())
        self.leaves = {}
        self.seen = set()
        self.known = {id(leaf) for leaf in (former or {}).values()}

    def visit(self, name, x, depth):
        if type(x) in _SCALARS:
            return
        if issubclass(type(x), torch.Tensor):
            self.tensor(name, x)
        elif depth < _DEEPEST and id(x) not in self.seen:
            inner = inside(x)
            if inner:
                self.seen.add(id(x))
                for label, item in inner:
                    self.visit(name + label, item, depth + 1)

    def tensor(self, name, x):
        if id(x) in self.known:
            return
        if self.again:
            # What is behind the others differs: a compiled graph's backward leads to all that the graph takes.
            if (x.requires_grad or x.grad is not None) if x.is_leaf else x.retains_grad:
                self.add(name, x)
        elif x.requires_grad and (x.is_leaf or self.behind):
            self.first(name, x)

    def add(self, name, x):
        self.known.add(id(x))
        while name in self.names:  # another tensor had this place before the call
            name += "'"
        self.names.add(name)
        self.leaves[name] = x

    def first(self, name, x):
        if x.is_leaf:
            self.add(name, x)
            return
        self.known.add(id(x))
        # Those that are known don't count: a compiled graph leads to them in another order.
        for number, leaf in enumerate(leaf for leaf in _behind(x) if id(leaf) not in self.known):
            self.add(f"{name}.leaf[{number}]", leaf)


def _behind(x):
    """The leaves of a tensor's autograd graph, in the order of a traversal from the tensor."""
    found, waiting, seen = [], [x.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        waiting.extend(following for following, _ in reversed(node.next_functions))
    return found


def inside(x):
    """(label, value) of what is directly inside a value; nothing where code of the program that must run for it fails."""
    try:
        return _contents(x)
    except Exception:  # a property of the program's, or a module without what makes it one
        return []


def _contents(x):
    kind = type(x)  # never x.__class__, which may be the program's code
    if issubclass(kind, SEQUENCES):
        return [(f"[{i}]", item) for i, item in enumerate(items_of(x))]
    if issubclass(kind, dict):
        return [(f"[{_key(key, i)}]", item) for i, (key, item) in enumerate(pairs_of(x))]
    if issubclass(kind, torch.nn.Module):
        parameters = torch.nn.Module.named_parameters(x, remove_duplicate=False)
        return [("." + key, item) for key, item in parameters] + _plain_attributes(x)
    if issubclass(kind, types.FunctionType):
        return _of_function(x)
    if issubclass(kind, functools.partial):
        return [(".func", x.func), (".args", x.args), (".keywords", x.keywords)]
    if issubclass(kind, types.MethodType):
        return [(".__self__", x.__self__)]
    if issubclass(kind, (type, types.ModuleType, str, int, float)):
        return []
    if issubclass(kind, (set, frozenset)):  # of more than one, the order says nothing
        return [("{}", item) for item in x] if len(x) == 1 else []
    return [("." + key, item) for key, item in attributes_of(x).items()]


def _of_function(function):
    if "/site-packages/" in function.__code__.co_filename:  # a compiler's wrappers for example
        return []
    inner = [("." + name, item) for name, item in cells_of(function)]
    inner += [(f"'s default {name}", item) for name, item in defaults_of(function)]
    own = vars(function).items()
    return inner + [("." + key, item) for key, item in own if not key.startswith(("__", *compiler.MARKS))]


def _key(key, place):
    """What stands for a key of a dict: its text if that has no address in it, else its place."""
    for kind in (str, int):
        if isinstance(key, kind):
            return repr(key) if type(key) in (str, int, bool) else kind.__repr__(key)
    return f"key {place}"


def _plain_attributes(module):
    """What the module and those in it have as attributes of their own: tensors that are no parameters, containers of them,
    functions, and objects of classes that are neither torch's nor Python's; not what a compiler's module has."""
    return [
        (f".{name}.{key}" if name else "." + key, item)
        for name, inner in torch.nn.Module.named_modules(module)
        if not type(inner).__module__.startswith("torch._")
        for key, item in vars(inner).items()
        if not key.startswith(_OF_THE_LIBRARY if _is_of_library(type(inner)) else compiler.MARKS)
        and key not in MODULE_INTERNALS and _may_hold(item)
    ]


def _may_hold(x):
    kind = type(x)
    return issubclass(kind, _HOLDERS) or kind not in _SCALARS and not issubclass(kind, type) and not _is_of_library(kind)


def _is_of_library(kind):
    return str(getattr(kind, "__module__", "")).split(".")[0] in _LIBRARIES


def cells_of(function):
    """(name, value) of what a function has from the functions around it; empty cells are left out."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # empty
            pass


def defaults_of(function):
    """(name, value) of the defaults of a function's parameters."""
    code, values = function.__code__, function.__defaults__ or ()
    named = code.co_varnames[: code.co_argcount]
    yield from zip(named[len(named) - len(values) :], values)
    yield from (function.__kwdefaults__ or {}).items()


def tensors_in(x, seen=None, depth=0):
    """All tensors that are reachable from a value through containers, attributes and modules."""
    seen = set() if seen is None else seen
    if issubclass(type(x), torch.Tensor):
        return [x]
    if depth >= _DEEPEST or id(x) in seen or len(seen) > _MOST_PLAIN:
        return []
    inner = inside(x)
    if inner:
        seen.add(id(x))
    return [tensor for _, item in inner for tensor in tensors_in(item, seen, depth + 1)]
