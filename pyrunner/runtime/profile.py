"""Facts before and after each statement of one eager run: core/facts.h.

There is a hook before and after each statement, and a single one between two consecutive statements (worker/points.h).
It reads the locals of the frame and the globals that the function names. If the driver did not write a text that has
hooks on their own lines, calls of the hook are inserted into the file's syntax tree, so that line numbers don't change.
Nothing else changes: iterators are never drawn from, and what is read is never written.
"""

import ast
import builtins
import functools
import re
import types

from jitprobe_native import Points

from . import execute, failures, load
from .observe import facts

_HOOK = "__jitprobe_point__"
# Words in programs that have code in their backward, or may read what backward leaves behind.
_IN_BACKWARD = ("backward", "hook", "auto", "Function", "checkpoint", "__torch_", "optim", "_saved_", "functions", "attr")
_WITHOUT_BACKWARD = ("requires_grad", "no_grad", "enable_grad", "is_grad_enabled", "set_grad_enabled")
# Words in programs that may give a tensor other memory in place; searching for the strings is faster than for the
# words.
_MOVES = re.compile(r"\bdata\b|\bset_\b|swap_tensors|attr")
_MOVING = ("data", "set_", "swap_tensors", "attr")
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
# memory.fill(): fresh memory holds zeros, or facts of what is not written yet, and the mutants made by them, would differ by
# what the process did before.
_ZEROS = 0xFF


class _Instrument(ast.NodeTransformer):
    def __init__(self, places, points):
        self.places = places
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
            if identity is not None:  # the facts after the last statement are those before this one
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
    """Statements that lose their meaning when another statement precedes them."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return True
    return documented and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _instrumented(program, filename, watched, points):
    lines, columns = watched["places"][::2], watched["places"][1::2]
    places = dict(zip(zip(lines, columns), watched["ids"].split()))
    tree = ast.parse(program["source"], filename)
    _Instrument(places, points).visit(tree)
    return (compile(tree, filename, "exec", dont_inherit=True),)


def _in_parts(watched, filename, points):
    """Compiles the text part by part; parts that programs share are compiled only once."""
    text = watched["text"]
    points.add_all(watched["ids"].split(), text["points"], text["lines"])
    if "__future__" in text["source"]:  # a __future__ import applies to the whole file
        return (compile(text["source"], filename, "exec", dont_inherit=True),)
    lines = text["source"].split("\n")
    cuts = [0, *(line - 1 for line in text["parts"]), len(lines)]
    parts = ((first, "\n".join(lines[first:past]) + "\n") for first, past in zip(cuts, cuts[1:]) if first < past)
    return tuple(_placed(_compiled(part), filename, first) for first, part in parts)


@functools.lru_cache(maxsize=256)
def _compiled(part):
    return compile(part, "", "exec", dont_inherit=True)


def _placed(code, filename, lines):
    """The code as if compiled from that file, starting after that many lines. It is a new object each time, so that
    marks on it (Dynamo's) don't outlive the run."""
    inner = [_placed(one, filename, lines) if isinstance(one, types.CodeType) else one for one in code.co_consts]
    return code.replace(co_filename=filename, co_firstlineno=code.co_firstlineno + lines, co_consts=tuple(inner))


def _moves(source):
    return any(text in source for text in _MOVING) and _MOVES.search(source) is not None


def _backward_runs_it(source):
    """Whether code of the program may run in backward, or may read what backward leaves behind."""
    if any(word in source for word in _IN_BACKWARD):
        return True
    return source.count("grad") != sum(map(source.count, _WITHOUT_BACKWARD))


def run(program, file, watched, record=True, noise_seed=0):
    """The outcome of an eager run, and its Facts, packed. `watched` is described in pyrunner/protocol.h. Without
    `record` the run is made only for its facts: its calls are not recorded, and steps that the program can't observe
    are skipped. With a `noise_seed` the results of operators that round are moved (controls/noise.py)."""
    filename = load.source_file(program, file)
    request = {"role": "profile", "record": record, "gradients": record or _backward_runs_it(program["source"]),
               "memory_fill": _ZEROS}
    if noise_seed:
        request |= {"precision": "monte_carlo", "noise_seed": noise_seed}
    points = Points(facts, _moves(program["source"]))
    text = watched.get("text")
    try:
        if text:
            codes = _in_parts(watched, filename, points)
        else:
            codes = _instrumented(program, filename, watched, points)
    except (SyntaxError, ValueError, RecursionError) as error:
        if text:  # its line numbers are not those that the author knows
            return run(program, file, watched | {"text": None}, record, noise_seed)
        found = failures.record(error, filename, load.module_name(program["source"]))
        reason = f"the file raised {failures.first_line(error)}"
        return {"kind": "raised", "stage": "file", "reason": reason, "exception": found}, points.packed(0)
    # The hook is a builtin and not a global, so that the program's globals don't change.
    setattr(builtins, _HOOK, points)
    try:
        ending = execute.run(program, file, request, codes)
    finally:
        delattr(builtins, _HOOK)
    calls = len(ending["observation"]["calls"]) if ending["kind"] == "finished" else 0
    return ending, points.packed(calls)
