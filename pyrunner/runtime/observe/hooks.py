"""How often a program's own code may run in backward."""

import ast

# What is computed again in backward has its effects again, but not in a compiled graph; and which tensors are saved is the
# compiler's choice.
_UNKNOWN = ("checkpoint", "saved_tensors_hooks")
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_MANY = 2


def sites(source):
    """0 for a program that registers no hook, 1 for one that does so once in each call, 2 for one that may do so more often
    or has backward functions of its own. 0 as well for one whose effects in backward are the compiler's choice."""
    if "hook" not in source and "def backward" not in source or any(name in source for name in _UNKNOWN):
        return 0
    try:
        tree = ast.parse(source)
    except (SyntaxError, RecursionError, ValueError):
        return 0
    found = _Sites()
    try:
        found.visit(tree)
    except RecursionError:
        return _MANY
    if found.backward or len(found.registering) > 1:
        return _MANY
    if not found.registering:
        return 0
    inside = found.registering[0]
    if any(isinstance(node, _LOOPS) for node in inside):
        return _MANY
    return _MANY if any(_runs_often(tree, node.name) for node in inside if isinstance(node, ast.FunctionDef)) else 1


class _Sites(ast.NodeVisitor):
    """`registering`: for each call that registers a hook the nodes around it; `backward`: whether there is a function of
    that name."""

    def __init__(self):
        self.around = []
        self.registering = []
        self.backward = False

    def visit(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "backward":
            self.backward = True
        if isinstance(node, ast.Call) and _registers(node.func):
            self.registering.append(list(self.around))
        self.around.append(node)
        self.generic_visit(node)
        self.around.pop()


def _registers(function):
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name.startswith("register_") and name.endswith("hook")


def _runs_often(tree, name):
    """Whether a function is named more than once, or without being called: it may be given to another one."""
    named, called = 0, 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called += _is_named(node.func, name)
        named += _is_named(node, name)
    return named > 1 or named > called


def _is_named(node, name):
    return isinstance(node, ast.Name) and node.id == name or isinstance(node, ast.Attribute) and node.attr == name
