"""Harvested programs joined several to a file, so that one compilation tests all of them.

Where a joined program agrees, each of its parts agrees: the results, arguments and gradients of all are compared. A part that
breaks the graph leaves the others compiled, since the joined program is a straight line of calls, outside of which the break is.
The parts of any other joined program are run one by one.
"""

import ast


def parts_of(text):
    """(number of parameters of `program`, the text below its imports); None for a file that isn't as harvests write it."""
    names, arity, below = [], 0, None
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if ast.unparse(node) != "import torch":
                return None
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            return None
        names.append(node.name)
        below = below or node.lineno
        if node.name == "program":
            if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.defaults:
                return None
            arity = len(node.args.posonlyargs + node.args.args)
    if sorted(names) != ["make_inputs", "program"]:
        return None
    return arity, "\n".join(text.splitlines()[below - 1:]) + "\n"


def joined(parts):
    """One program file of several (parts_of), whose arguments and results are those of all, one part's behind the other's."""
    bodies, inputs, calls, first = [], [], [], 0
    for number, (arity, below) in enumerate(parts):
        bodies.append(below.replace("def make_inputs(", f"def make_inputs_{number}(", 1)
                      .replace("def program(", f"def program_{number}(", 1))
        inputs.append(f"*make_inputs_{number}(),")
        calls.append(f"program_{number}({', '.join(f'a{place}' for place in range(first, first + arity))}),")
        first += arity
    parameters = ", ".join(f"a{place}" for place in range(first))
    spaces = "\n        "
    return ("import torch\n\n\n" + "\n\n".join(bodies)
            + f"\n\ndef make_inputs():\n    return (\n        {spaces.join(inputs)}\n    )\n"
            + f"\n\ndef program({parameters}):\n    return (\n        {spaces.join(calls)}\n    )\n")


def join(files, count):
    """[(text, names)]: the given {name: text} in their order, at most `count` to a program; what can't be joined is alone."""
    parts = {name: parts_of(text) for name, text in files.items()}
    alone = [(text, [name]) for name, text in files.items() if parts[name] is None]
    others = [name for name in files if parts[name] is not None]
    groups = [others[first:first + count] for first in range(0, len(others), count)]
    return [(joined([parts[name] for name in group]), group) for group in groups] + alone
