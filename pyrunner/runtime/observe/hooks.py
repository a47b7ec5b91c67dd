"""Whether a program's own code runs in backward in one place alone."""

import ast

# What is computed again in backward has its effects again, but not in a compiled graph; and which tensors are saved is the
# compiler's choice.
_UNKNOWN = ("checkpoint", "saved_tensors_hooks", "def backward")
_HOOKS = ("register_hook", "register_post_accumulate_grad_hook")
_OFTEN = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.ClassDef,
          ast.FunctionDef, ast.AsyncFunctionDef)


def registers_one(source, entry):
    """Whether the text registers one hook of a tensor, in the function `entry` itself and outside of loops: it is there once
    in each call. False wherever the text doesn't tell."""
    if "hook" not in source or any(name in source for name in _UNKNOWN):
        return False
    try:
        tree = ast.parse(source)
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and "hook" in node.attr]
        named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id.startswith("register_")]
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == entry]
        if len(found) != 1 or named or len(functions) != 1 or found[0].attr not in _HOOKS:
            return False
        return any(node is found[0] for statement in functions[0].body for node in _once(statement))
    except (SyntaxError, RecursionError, ValueError):
        return False


def _once(node):
    """The nodes of a statement that run at most once when it does."""
    if isinstance(node, _OFTEN):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _once(child)
