"""What compiling a program did: graphs, guards, graph breaks and recompilations, read from torch's structured trace.

torch writes that trace for `tlparse`: records of a logger, each with the compile that it belongs to and a text. A handler
collects them while the program runs. The nodes of Dynamo's graphs are read from the graph modules that torch prints into
the trace, because only they hold the whole stack of a node, and with it the line of the program when the innermost frame
is a library's. Nothing that torch compiles is changed, and what can't be read is said in `missing`.
"""

import json
import logging
import re
import time

import torch

from ..compat import compiler
from . import dynamo
from .reasons import sentences

_MOST_TEXT = 256 << 10  # bytes of one text
_MOST_TEXTS = 16 << 20  # bytes of all texts together
_MOST_GRAPHS = 64
_MOST_NODES = 4096  # of one graph
_MOST_GUARDS = 1024  # of one graph
_MOST_ROWS = 256  # breaks, recompilations and calls
_MOST_SENTENCES = 32
_MOST_NAME = 200  # characters of a counter's name
_MOST_ARGUMENTS = 400  # characters of a node's arguments

# Records of the trace that hold one text of a graph, and where it goes.
_TEXTS = {
    "aot_forward_graph": "aot_forward",
    "aot_inference_graph": "aot_forward",  # AOTAutograd's graph where no backward is needed
    "aot_backward_graph": "aot_backward",
    "inductor_output_code": "code",
}
_GUARD = re.compile(r"^[| ]*\+- ([A-Z][A-Z0-9_]*: .*)$")
_GUARD_PLACE = re.compile(r"# (\S+):(\d+) in \S+")
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_BROKE_AT = re.compile(r"^Graph break in user code at (.+):(\d+)$", re.M)
_BREAK_ENDS = re.compile(r"^(User code traceback:|Traceback \(most recent call last\):)", re.M)
_REASON_LINE = "Graph Break Reason:"


class Report:
    """Collects while it is entered as a context; `result()` is the report as plain data (docs/formats.md)."""

    def __init__(self, program_file):
        self._file = program_file
        self._graphs = []
        self._latest = {}  # compile id -> its latest graph
        self._starts = {}  # compile id -> (function, line) of its frame
        self._reasons = {}  # compile id -> why it was compiled again
        self._breaks = []
        self._recompiles = []
        self._calls = []
        self._missing = []
        self._room = _MOST_TEXTS
        self._traced = set()  # kinds of records that came
        self._count = 0  # graphs, those that were left out included
        self._names = {}  # torch's numbers for files
        self._printed = None  # the graph module that was printed last, and its text

    def __enter__(self):
        self._before = _counters()
        self._handler = _Handler(self)
        self._print = torch.fx.GraphModule.print_readable
        torch.fx.GraphModule.print_readable = self._noting(self._print)
        if compiler.trace_log is not None:
            compiler.trace_log.addHandler(self._handler)
        return self

    def __exit__(self, *error):
        if compiler.trace_log is not None:
            compiler.trace_log.removeHandler(self._handler)
        torch.fx.GraphModule.print_readable = self._print
        self._printed = None

    def call(self, function):
        """Makes a call of the program: `function` without arguments."""
        row = {"call": len(self._calls), "graphs_before": self._count, "graphs_after": self._count, "seconds": 0.0}
        if len(self._calls) < _MOST_ROWS:
            self._calls.append(row)
        start = time.perf_counter()
        try:
            return function()
        finally:
            row["seconds"] = time.perf_counter() - start
            row["graphs_after"] = self._count

    def result(self, error):
        """The report. `error`: why the run ended early or a call failed, as a sentence; "" if nothing did."""
        after = _counters()
        self._say_missing(after)
        return {
            "graphs": self._graphs,
            "breaks": self._breaks,
            "recompiles": self._recompiles,
            "counters_before": self._before,
            "counters": after,
            "calls": self._calls,
            "error": error,
            "missing": self._missing,
        }

    # Records of the trace.

    def take(self, metadata, payload):
        """One record: what it says, which compile it belongs to, and its text or None."""
        compiled = tuple(metadata.get(key) for key in ("compiled_autograd_id", "frame_id", "frame_compile_id"))
        kind = next((key for key in _READERS if key in metadata), None)
        if kind == "artifact":
            kind = metadata["artifact"].get("name")
        if kind in _TEXTS:
            self._add_text(compiled, kind, payload or "")
        elif kind in _READERS:
            _READERS[kind](self, compiled, metadata, payload or "")
        if payload is not None:
            self._traced.add(kind)

    def _name(self, compiled, metadata, payload):
        text, number = metadata["str"]
        self._names[number] = text

    def _start(self, compiled, metadata, payload):
        frames = metadata["dynamo_start"].get("stack") or [{}]
        own = [frame["line"] for frame in frames if self._is_own(frame.get("filename")) and frame.get("line")]
        self._starts[compiled] = (frames[-1].get("name", ""), own[-1] if own else 0)

    def _is_own(self, file):
        return self._names.get(file, file) == self._file

    def _graph(self, compiled, metadata, payload):
        self._count += 1
        if len(self._graphs) == _MOST_GRAPHS:
            self._say(f"graphs after the first {_MOST_GRAPHS}: they are left out")
        if len(self._graphs) >= _MOST_GRAPHS:
            self._latest.pop(compiled, None)
            return
        frame, line = self._starts.get(compiled, ("", 0))
        name = "/".join(str(part) for part in compiled if part is not None)
        graph = {"id": name, "frame": frame, "line": line, "fx": self._bounded(payload, f"graph {name}"),
                 "nodes": self._nodes(payload, name), "aot_forward": "", "aot_backward": "", "code": "", "guards": [],
                 "recompiled_because": self._reasons.get(compiled, "")}
        self._graphs.append(graph)
        self._latest[compiled] = graph

    def _add_text(self, compiled, kind, payload):
        graph = self._latest.get(compiled)
        if graph is None:
            return
        key = _TEXTS[kind]
        if key == "code" and graph["code"]:  # a file for the forward graph, another one for the backward
            payload = graph["code"] + "\n\n" + payload
            self._room += len(graph["code"].encode("utf-8", "replace"))
        graph[key] = self._bounded(payload, f"{key} of graph {graph['id']}")

    def _guards(self, compiled, metadata, payload):
        graph = self._latest.get(compiled)
        if graph is None:
            return
        guards = []
        for text in payload.splitlines():
            if found := _GUARD.match(text):
                guards.append({"text": self._bounded(" ".join(found[1].split()), "a guard"), "line": self._guard_line(text)})
            elif guards and (frame := _FRAME.search(text)) and frame[1] == self._file:
                guards[-1]["line"] = int(frame[2])  # the stack below a guard, outermost frame first
        if len(guards) > _MOST_GUARDS:
            self._say(f"graph {graph['id']}: {len(guards) - _MOST_GUARDS} of its {len(guards)} guards are left out")
        graph["guards"] = guards[:_MOST_GUARDS]

    def _guard_line(self, text):
        """torch cuts the beginning of long paths."""
        places = _GUARD_PLACE.findall(text)
        return int(places[-1][1]) if places and self._file.endswith(places[-1][0]) else 0

    def _break(self, compiled, metadata, payload):
        end = _BREAK_ENDS.search(payload)
        says = payload[: end.start()] if end else payload
        at = _BROKE_AT.search(says)
        says = says.partition(_REASON_LINE)[2] or says
        line = int(at[2]) if at and at[1] == self._file else self._last_line(payload)
        parts = [part.strip() for part in says.strip().split("\n\n") if part.strip()]
        # The first paragraph is which bytecode was traced, the second what about it.
        telling = parts[1] if len(parts) > 1 and parts[0].startswith("Encountered graph break") else (parts or [""])[0]
        row = {"reason": telling.splitlines()[0] if telling else "unknown", "line": line, "says": says.strip()}
        self._add_row(self._breaks, row)

    def _recompile(self, compiled, metadata, payload):
        try:
            reasons = json.loads(payload)
        except ValueError:  # a single reason is written as it is
            reasons = payload
        reasons = [reasons] if isinstance(reasons, str) else [str(reason) for reason in reasons]
        shown = [reason.partition("\nUser stack trace:")[0] for reason in reasons]
        line = next((found for reason in reasons if (found := self._last_line(reason))), 0)
        line = line or self._starts.get((*compiled[:2], 0), ("", 0))[1]
        because = "\n".join(" ".join(reason.split()) for reason in shown)
        self._reasons[compiled] = self._bounded(because, "a recompilation")
        row = {"call": max(0, len(self._calls) - 1), "reason": because, "line": line, "says": sentences(shown)}
        self._add_row(self._recompiles, row)

    def _last_line(self, text):
        """The line of the program's innermost frame in a stack; 0 if there is none."""
        lines = [int(line) for file, line in _FRAME.findall(text) if file == self._file]
        return lines[-1] if lines else 0

    def _add_row(self, rows, row):
        row = {key: self._bounded(value, "a reason") if isinstance(value, str) else value for key, value in row.items()}
        if row in rows:
            return
        if len(rows) < _MOST_ROWS:
            rows.append(row)
        else:
            self._say(f"graph breaks or recompilations after the first {_MOST_ROWS}: they are left out")

    # Nodes.

    def _noting(self, print_readable):
        def noting(module, *arguments, **keywords):
            text = print_readable(module, *arguments, **keywords)
            self._printed = (module, text)
            return text

        return noting

    def _nodes(self, text, name):
        module, printed = self._printed or (None, None)
        if printed != text:
            self._say("the nodes of graphs: torch does not print them from a graph module")
            return []
        nodes = list(module.graph.nodes)
        if len(nodes) > _MOST_NODES:
            self._say(f"graph {name}: {len(nodes) - _MOST_NODES} of its {len(nodes)} nodes are left out")
        return [self._node(node) for node in nodes[:_MOST_NODES]]

    def _node(self, node):
        return {
            "name": node.name,
            "op": node.op,
            "target": _target(node.target),
            "args": [one.name for one in node.all_input_nodes],
            "arguments": self._bounded(_arguments(node)[:_MOST_ARGUMENTS], "the arguments of a node"),
            "line": self._last_line(node.stack_trace or ""),
        }

    # Bounds, and what is missing.

    def _bounded(self, text, what):
        text = text.encode("utf-8", "replace")
        most = max(0, min(_MOST_TEXT, self._room))
        if len(text) > most:
            self._say(f"{what}: {len(text)} bytes, of which the first {most} are shown")
            text = text[:most]
        self._room -= len(text)
        return text.decode("utf-8", "ignore")

    def _say(self, sentence):
        if sentence not in self._missing and len(self._missing) < _MOST_SENTENCES:
            self._missing.append(sentence)

    def broke(self, error):
        """A record of the trace has another form than the one that is read."""
        self._say(f"a record of torch's trace, which can't be read: {type(error).__name__}: {error}")

    def _say_missing(self, counters):
        """What the counters say that there is and the trace did not show."""
        if compiler.trace_log is None:
            return self._say("graphs, guards, graph breaks and recompilations: this torch writes no structured trace")
        if compiler.counters is None:
            return self._say("counters: this torch has none")
        grown = lambda group, name: counters.get(group, {}).get(name, 0) - self._before.get(group, {}).get(name, 0)  # noqa: E731
        expected = {
            "graphs": (grown("stats", "unique_graphs"), {"dynamo_output_graph"}),
            "guards": (grown("totals", "guards"), {"dynamo_cpp_guards_str"}),
            "AOTAutograd's graphs": (grown("aot_autograd", "ok"), {"aot_forward_graph", "aot_inference_graph"}),
            "Inductor's code": (grown("totals", "generated_kernels"), {"inductor_output_code"}),
            "recompilations": (grown("totals", "recompiles"), {"recompile_reasons"}),
        }
        for what, (count, kinds) in expected.items():
            if count > 0 and not kinds & self._traced:
                self._say(f"{what}: there are some, and this torch's trace does not show them")


_READERS = {
    "str": Report._name,
    "dynamo_start": Report._start,
    "dynamo_output_graph": Report._graph,
    "dynamo_cpp_guards_str": Report._guards,
    "dynamo_graph_break_reason": Report._break,
    "recompile_reasons": Report._recompile,
    "artifact": None,
    **dict.fromkeys(_TEXTS),
}


class _Handler(logging.Handler):
    """Hands the trace's records to a report. Nothing that goes wrong here may reach the compiler."""

    def __init__(self, report):
        super().__init__()
        self._report = report

    def emit(self, record):
        try:
            self._report.take(record.metadata, record.payload)
        except Exception as error:
            self._report.broke(error)


def _target(target):
    """What a node calls: "torch.relu", "operator.add", "aten.add.Tensor", the name of a method or of a placeholder."""
    if isinstance(target, str) or not hasattr(target, "__name__") or hasattr(target, "overloadpacket"):
        return str(target)  # of an overload of an operator: "aten.add.Tensor"
    module = getattr(target, "__module__", None) or ""
    return f"{module.lstrip('_')}.{target.__name__}" if module else target.__name__


def _arguments(node):
    """What a node is called with, as it would be written: "x, 1, dim=0"; nodes are their names."""
    return ", ".join([*map(repr, node.args), *(f"{name}={value!r}" for name, value in node.kwargs.items())])


def _counters():
    """torch's counters since the last reset, {group: {name: number}}, and our sums of them as the group "totals"."""
    if compiler.counters is None:
        return {}
    groups = {}
    for group, counts in compiler.counters.items():
        for name, count in counts.items():
            name = (str(name).strip().splitlines() or ["unknown"])[0][:_MOST_NAME]  # a graph break's is a page long
            numbers = groups.setdefault(str(group), {})
            numbers[name] = numbers.get(name, 0) + int(count)
    told = dynamo.counters()
    totals = {name: told[name] for name in ("frames_seen", "frames_compiled", "graphs", "recompile_limit_hits")}
    groups["totals"] = {**totals, "graph_breaks": sum(told["graph_breaks"].values()), **told["others"]}
    return groups
