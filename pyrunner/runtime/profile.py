"""Facts before and after each statement of one eager run: core/facts.h.

A call of a hook is put before and behind each statement whose place the driver named, in the file's syntax tree, one
call between two that follow each other; the hook (worker/points.h) reads the frame's locals and the globals that the
function names. Nothing else changes: line numbers stay, iterators are never drawn from, what is read is never written.
"""

import ast
import builtins

from . import execute, facts, failures, load

_HOOK = "__jitprobe_point__"
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class _Instrument(ast.NodeTransformer):
    def __init__(self, places, points):
        self.places = {(place["line"], place["column"]): place["id"] for place in places}
        self.points = points

    def generic_visit(self, node):
        self.blocks(node)
        return node

    def blocks(self, node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, self.block(block, field == "body" and _may_hold_docstring(node)))
        for field in ("handlers", "cases"):
            for part in getattr(node, field, ()):
                self.visit(part)

    def block(self, statements, documented):
        result, behind, last = [], None, None
        for number, statement in enumerate(statements):
            identity = self.places.get((statement.lineno, statement.col_offset))
            self.visit(statement)
            if _fixed(statement, number == 0 and documented):
                identity = None
            if identity is not None:  # what is known behind the last statement is known before this one
                result.append(self.call(behind, identity, statement))
            elif behind is not None:
                result.append(self.call(behind, None, last))
            result.append(statement)
            behind, last = None if isinstance(statement, _JUMPS) else identity, statement
        if behind is not None:
            result.append(self.call(behind, None, last))
        return result

    def call(self, behind, before, statement):
        at = (statement.lineno, statement.col_offset) * 2
        place = dict(zip(("lineno", "col_offset", "end_lineno", "end_col_offset"), at))
        number = ast.Constant(self.points.add(behind, before), **place)
        return ast.Expr(ast.Call(ast.Name(_HOOK, ast.Load(), **place), [number], [], **place), **place)


def _may_hold_docstring(node):
    return isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _fixed(statement, documented):
    """Statements that lose their meaning when something stands before them."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    return documented and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _instrumented(program, filename, places, points):
    tree = ast.parse(program["source"], filename)
    _Instrument(places, points).visit(tree)
    return compile(tree, filename, "exec", dont_inherit=True)


def run(program, file, places):
    """The ending of an instrumented eager run, and its Facts, packed."""
    from jitprobe_points import Points  # of the worker; runs that aren't profiled do without

    filename = load.source_file(program, file)
    request = {"role": "profile"}
    points = Points(facts)
    try:
        code = _instrumented(program, filename, places, points)
    except (SyntaxError, ValueError, RecursionError) as error:
        record = failures.record(error, filename, load.module_name(program["source"]))
        reason = f"the file raised {failures.first_line(error)}"
        return {"kind": "raised", "stage": "file", "reason": reason, "exception": record}, points.packed(0)
    # A builtin, not a global: the program's own globals stay as they are.
    setattr(builtins, _HOOK, points.hook)
    try:
        ending = execute.run(program, file, request, code)
    finally:
        delattr(builtins, _HOOK)
    calls = len(ending["observation"]["calls"]) if ending["kind"] == "finished" else 0
    return ending, points.packed(calls)
