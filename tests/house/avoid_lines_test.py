"""Avoid and around lines of the corpus can stand in one program, with each other and with any names of the program: what
a function of theirs reads when it is called is its own, a builtin, torch, or a global whose name begins with an
underscore."""

import ast
import builtins
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FUNCTIONS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_in(node):
    """The names that a function or comprehension binds, or an assignment expression in it."""
    names = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    return names | {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def read_when_called(tree):
    for function in ast.walk(tree):
        if isinstance(function, ast.Lambda):
            for one in ast.walk(function.body):
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                    yield one.id


def faults(line):
    tree = ast.parse(line)
    own = set().union(*(bound_in(node) for node in ast.walk(tree) if isinstance(node, FUNCTIONS)))
    for name in read_when_called(tree):
        if name not in own and name != "torch" and not name.startswith("_") and not hasattr(builtins, name):
            yield f"a function reads the global {name}"
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "exec":
            text, *names = call.args
            if not (len(names) == 1 and isinstance(names[0], ast.Dict) and not names[0].keys):
                yield "the text of an exec has no names of its own: give it {}"
            ast.parse(ast.literal_eval(text))
    if "tb_next" in line:
        yield "the depth of a traceback is counted: another line may wrap the same function"


def main():
    assert list(faults("import m as p; m.f = lambda x: p.g(x)")) and not list(faults("import m as p; p.f = lambda x: x"))
    assert list(faults("exec('x = 1')")) and not list(faults("exec('x = 1', {})"))
    wrong, lines = [], 0
    for path in sorted((ROOT / "corpus").glob("*/*.py")):
        for line in re.findall(r"^# (?:avoid|around): (.*)$", path.read_text(), re.M):
            lines += 1
            wrong += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults(line)]
    if lines < 20:
        wrong.append(f"only {lines} lines were found")
    print("\n".join(wrong) or f"{lines} lines read nothing that another line or a program binds")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
