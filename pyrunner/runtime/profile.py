"""Facts before and after each statement of one eager run: core/facts.h.

A call of a hook is put before and behind each statement whose place the driver named, in the file's syntax tree, one
call between two that follow each other; the hook reads the frame's locals and the globals that the function names.
Nothing else changes: line numbers stay, iterators are never drawn from, and what is read is never written.
"""

import ast
import builtins
import sys
import types

from . import execute, facts, failures, load

_HOOK = "__jitprobe_point__"
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_MOST_VISITS = 1000  # beyond this a point's facts are given up, so that a long loop ends in time


class _Point:
    """One call of the hook: behind a statement, before the next, or both at once; ids or None."""

    def __init__(self, behind, before):
        self.behind, self.before = behind, before
        self.visits, self.seen = 0, None


class _Points:
    """All calls of the hook, and what they have seen."""

    def __init__(self):
        self.table = facts.Table()
        self.points = []
        self.names = {}  # id of code -> the code, and the names in it

    def add(self, behind, before):
        self.points.append(_Point(behind, before))
        return len(self.points) - 1

    def hook(self, number):
        point = self.points[number]
        point.visits += 1
        if point.visits > _MOST_VISITS:
            point.seen = {}
        if point.seen == {}:
            return
        try:
            seen = self.table.point(self.live(sys._getframe(1)))
            point.seen = seen if point.seen is None else self.table.merge(point.seen, seen)
        except Exception:  # no stack left, or a key whose text can't be had: nothing is known, and the program goes on
            point.seen = {}

    def live(self, frame):
        """The frame's own names, and the globals that its code names."""
        code, own, shared = frame.f_code, frame.f_locals, frame.f_globals
        live = {name: value for name, value in own.items() if _shown(name, value)}
        if own is not shared:
            known = self.names.get(id(code))
            if known is None:
                known = self.names[id(code)] = code, sorted(_names_in(code))
            for name in known[1]:
                if name not in live and name in shared and _shown(name, shared[name]):
                    live[name] = shared[name]
        return live

    def wire(self, calls):
        reached = [point for point in self.points if point.seen is not None]
        known = self.table.wire([point.seen for point in reached])
        known["before"] = {point.before: at for at, point in enumerate(reached) if point.before is not None}
        known["after"] = {point.behind: at for at, point in enumerate(reached) if point.behind is not None}
        known["visits"] = {point.before: point.visits for point in reached if point.before is not None}
        known["calls"] = calls
        return known


def _names_in(code):
    """Of attributes too, and of code inside."""
    return set(code.co_names).union(*(_names_in(part) for part in code.co_consts if isinstance(part, types.CodeType)))


def _shown(name, value):
    return not name.startswith(("__", ".")) and not isinstance(value, types.ModuleType)


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
    """The ending of an instrumented eager run, and its Facts."""
    filename = load.source_file(program, file)
    request = {"role": "profile"}
    points = _Points()
    try:
        code = _instrumented(program, filename, places, points)
    except (SyntaxError, ValueError, RecursionError) as error:
        record = failures.record(error, filename, load.module_name(program["source"]))
        reason = f"the file raised {failures.first_line(error)}"
        return {"kind": "raised", "stage": "file", "reason": reason, "exception": record}, {}
    # A builtin, not a global: the program's own globals stay as they are.
    setattr(builtins, _HOOK, points.hook)
    try:
        ending = execute.run(program, file, request, code)
    finally:
        delattr(builtins, _HOOK)
    calls = len(ending["observation"]["calls"]) if ending["kind"] == "finished" else 0
    return ending, points.wire(calls)
