"""Loads a program file as a module, and the inputs that it makes."""

import ast
import functools
import hashlib
import linecache
import os
import re
import sys
import types

_SETS = re.compile(r"\b(_?set_\w+|_set\w*|use_deterministic\w*|__enter__|__exit__)\b")
# What a statement must look like to change something of a module's or a class's.
_MAY_PATCH = re.compile(
    r"\.\w+\s*(?:,[^=\n]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)|\]\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)"
    r"|\b(?:setattr|delattr|del)\b")
_REACH_ANY_GLOBAL = {"__dict__", "eval", "exec", "globals", "setattr", "vars"}


class BadUse(Exception):
    """The file is not a valid program file. `stage` as in core/outcome.h; the text is a sentence for the author of the
    file."""

    def __init__(self, stage, reason):
        super().__init__(reason)
        self.stage = stage


@functools.lru_cache(maxsize=4)
def module_name(source):
    """The same program always has the same name, so that texts that contain the name agree between runs."""
    return "program_" + hashlib.sha256(source.encode()).hexdigest()[:12]


def source_file(program, file):
    """The path that code objects have: the user's own file while its contents are this text, otherwise the driver's
    copy."""
    path = program.get("path", "")
    if path:
        try:
            with open(path, encoding="utf-8", newline="") as open_file:
                if open_file.read() == program["source"]:
                    return os.path.abspath(path)
        except (OSError, UnicodeDecodeError):
            pass
    return file


def load(program, filename, codes=None):
    """Executes the file as a module that is registered in `sys.modules`; a user's file has its folder first on
    `sys.path`. `codes`, executed one after the other, replace the compiled text. Exceptions of the file are not
    caught."""
    source = program["source"]
    module = types.ModuleType(module_name(source))
    path = program.get("path", "")
    module.__file__ = os.path.abspath(path) if path else filename
    if path:
        sys.path.insert(0, os.path.dirname(module.__file__))
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    sys.modules[module.__name__] = module
    for code in codes or (compile(source, filename, "exec", dont_inherit=True),):
        exec(code, module.__dict__)
    return module


def own_names(module, source):
    """The globals that belong to the file: those that it had when it was loaded, and those that it names. (Dynamo
    stores constants among a file's globals.) None if the file reaches globals by computed names, so that all may be its
    own."""
    words = set(re.findall(r"\w+", source))
    return None if words & _REACH_ANY_GLOBAL and _reaches_any_global(source) else words | set(module.__dict__)


def rebound_names(source):
    """The globals that functions of the file bind: those of its `global` statements."""
    return {name for names in re.findall(r"\bglobal ([\w, ]+)", source) for name in re.findall(r"\w+", names)}


def sets_modes(source):
    """Whether the program may set modes by statements, which no block ends: by a name like `torch.set_grad_enabled`.
    Statements that patch torch when the file is loaded, as lines of known bugs do, are no part of the program."""
    if not _SETS.search(source):
        return False
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # what is wrong with the file shows when it is loaded
        return False
    parts = [part for node in statements for part in (node, *getattr(node, "decorator_list", ()))]
    return any(not _patches(part) and _SETS.search(ast.get_source_segment(source, part) or "") for part in parts)


def _patches(node):
    """Whether a statement of the file calls something, or assigns to an attribute."""
    return isinstance(node, ast.Expr) or isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)


@functools.lru_cache(maxsize=4)
def patched(source):
    """The paths, ("torch", "nn", "Linear", "forward"), of what the file sets or deletes in what it imports: attributes, and
    containers whose items it sets."""
    if not _MAY_PATCH.search(source):
        return frozenset()
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    imported = {name: path for node in nodes for name, path in _imports(node)}
    found = (_path(target, imported) for target in map(_changed, nodes) if target is not None)
    return frozenset(path for path in found if len(path) > 1)


def _imports(node):
    """(name, path) of the names that a statement imports."""
    if isinstance(node, ast.Import):
        for one in node.names:
            path = tuple(one.name.split("."))
            yield (one.asname, path) if one.asname else (path[0], path[:1])
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for one in node.names:
            yield one.asname or one.name, (*node.module.split("."), one.name)


def _changed(node):
    """The expression of what a node sets, deletes or changes; None for others."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and node.args:
        name = node.args[1].value if len(node.args) > 1 and isinstance(node.args[1], ast.Constant) else "?"
        return ast.Attribute(node.args[0], str(name), ast.Store())
    return None


def _path(node, imported):
    """The path of an expression of attributes, and of items of them, from an imported name on; () for others."""
    parts = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
        else:
            parts.clear()
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in imported:
        return ()
    return (*imported[node.id], *reversed(parts))


def _reaches_any_global(source):
    """Whether the code, ignoring comments and strings, uses one of these names; a module's method `eval` doesn't
    count."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in _REACH_ANY_GLOBAL:
            return True
        if isinstance(node, ast.alias) and node.name in _REACH_ANY_GLOBAL:
            return True
        if isinstance(node, ast.Attribute) and node.attr in _REACH_ANY_GLOBAL:
            if node.attr != "eval" or isinstance(node.value, ast.Name) and node.value.id in ("builtins", "__builtins__"):
                return True
    return False


def entry_of(module, name):
    """The function or module that is to be compiled."""
    entry = module.__dict__.get(name)
    if not callable(entry):
        what = "is not callable" if name in module.__dict__ else "is not defined"
        raise BadUse("file", f"the entry `{name}` {what}: define `def {name}(...)`, or name another with --entry")
    return entry


def compile_options(module):
    options = module.__dict__.get("COMPILE_OPTIONS", {})
    if not isinstance(options, dict) or not all(isinstance(key, str) for key in options):
        raise BadUse("file", "COMPILE_OPTIONS must be a dict of keyword arguments of torch.compile")
    return dict(options)


def calls_of(made, name):
    """The arguments of each call, from the result of `make_inputs()`."""
    if isinstance(made, tuple):
        return [made]
    if isinstance(made, list) and made and all(isinstance(call, tuple) for call in made):
        return made
    found = type(made).__name__
    if isinstance(made, list):
        found = "an empty list" if not made else "a list with something else"
    raise BadUse("inputs", f"`{name}()` must give a tuple (one call) or a list of tuples (one call each), not {found}")
