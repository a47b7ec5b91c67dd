"""Facts before and after each statement of one eager run: core/facts.h.

A call of a hook is put before and behind each statement whose place the driver named, in the file's syntax tree; the
hook reads the frame's locals and the globals that the function names. Nothing else changes: line numbers stay, iterators
are never drawn from, and what is read is never written.
"""

import ast
import builtins
import sys
import types

from . import execute, facts, failures, load

_HOOK = "__jitprobe_point__"
_MOST_VISITS = 1000  # beyond this a point's facts are given up, so that a long loop ends in time


class _Points:
    """What the hook has seen."""

    def __init__(self):
        self.before, self.after, self.visits, self.counts = {}, {}, {}, {}

    def hook(self, identity, behind, names):
        if not behind:
            self.visits[identity] = self.visits.get(identity, 0) + 1
        table = self.after if behind else self.before
        count = self.counts[identity, behind] = self.counts.get((identity, behind), 0) + 1
        if count > _MOST_VISITS:
            table[identity] = {}
            return
        frame = sys._getframe(1)
        seen = facts.of_names(_live(frame, names))
        table[identity] = facts.merge(table[identity], seen) if identity in table else seen


def _live(frame, names):
    live = {name: value for name, value in frame.f_locals.items() if _shown(name, value)}
    if frame.f_locals is not frame.f_globals:
        for name in names:
            if name not in live and name in frame.f_globals and _shown(name, frame.f_globals[name]):
                live[name] = frame.f_globals[name]
    return live


def _shown(name, value):
    return not name.startswith(("__", ".")) and not isinstance(value, types.ModuleType)


class _Instrument(ast.NodeTransformer):
    def __init__(self, places):
        self.places = {(place["line"], place["column"]): place["id"] for place in places}
        self.names = ()

    def visit_FunctionDef(self, node):
        outer, self.names = self.names, tuple(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}))
        self.blocks(node)
        self.names = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

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
        result = []
        for number, statement in enumerate(statements):
            identity = self.places.get((statement.lineno, statement.col_offset))
            self.visit(statement)
            if identity is None or _fixed(statement, number == 0 and documented):
                result.append(statement)
                continue
            result.append(self.call(identity, False, statement))
            result.append(statement)
            if not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                result.append(self.call(identity, True, statement))
        return result

    def call(self, identity, behind, statement):
        arguments = [ast.Constant(identity), ast.Constant(behind), ast.Constant(self.names)]
        call = ast.Expr(ast.Call(ast.Name(_HOOK, ast.Load()), arguments, []))
        for node in ast.walk(call):
            if "lineno" in node._attributes:
                node.lineno = node.end_lineno = statement.lineno
                node.col_offset = node.end_col_offset = statement.col_offset
        return call


def _may_hold_docstring(node):
    return isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def _fixed(statement, documented):
    """Statements that lose their meaning when something stands before them."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    return documented and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _instrumented(program, filename, places):
    tree = ast.parse(program["source"], filename)
    _Instrument(places).visit(tree)
    return compile(tree, filename, "exec", dont_inherit=True)


def run(program, file, places):
    """The ending of an instrumented eager run, and its Facts."""
    filename = load.source_file(program, file)
    request = {"role": "profile"}
    try:
        code = _instrumented(program, filename, places)
    except (SyntaxError, ValueError, RecursionError) as error:
        record = failures.record(error, filename, load.module_name(program["source"]))
        reason = f"the file raised {failures.first_line(error)}"
        return {"kind": "raised", "stage": "file", "reason": reason, "exception": record}, {}
    points = _Points()
    # A builtin, not a global: the program's own globals stay as they are.
    setattr(builtins, _HOOK, points.hook)
    try:
        ending = execute.run(program, file, request, code)
    finally:
        delattr(builtins, _HOOK)
    calls = len(ending["observation"]["calls"]) if ending["kind"] == "finished" else 0
    known = {"before": points.before, "after": points.after, "visits": points.visits, "calls": calls}
    return ending, known
