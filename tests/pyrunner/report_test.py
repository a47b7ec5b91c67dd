"""What the compile report reads of torch's trace, in this process: records of another form, bounds, what is missing, and
that gathering leaves torch as it was.

Run by the Python whose torch is tested.
"""

import logging
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import runtime_package  # noqa: E402

runtime_package.load()

import torch  # noqa: E402
from jitprobe_runtime.compat import compiler  # noqa: E402
from jitprobe_runtime.compilers import report  # noqa: E402

FILE = __file__


def program(x):
    y = x + 1
    return torch.relu(y)


LINE = program.__code__.co_firstlineno


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def gathered(*calls):
    torch.compiler.reset()
    told = report.Report(FILE)
    compiled = torch.compile(program, backend="eager")
    with told:
        for arguments in calls:
            told.call(lambda: compiled(*arguments))
    return told.result("")


def records(*pairs):
    """The report on records as a trace might hold them."""
    told = report.Report(FILE)
    with told:
        handler = compiler.trace_log.handlers[-1]
        for metadata, payload in pairs:
            record = logging.LogRecord("trace", logging.DEBUG, "", 0, "", (), None)
            record.metadata, record.payload = metadata, payload
            handler.emit(record)
    return told.result("")


def reads_a_graph():
    printing = torch.fx.GraphModule.print_readable
    told = gathered((torch.ones(3),), (torch.ones(3),))
    check(torch.fx.GraphModule.print_readable is printing, "the method that prints graphs is another one")
    check(all(type(one) is not report._Handler for one in compiler.trace_log.handlers), "the handler is still there")
    check(len(told["graphs"]) == 1 and told["missing"] == [], f"{told}")
    graph = told["graphs"][0]
    lines = {node["target"]: node["line"] for node in graph["nodes"]}
    check(lines.get("operator.add") == LINE + 1 and lines.get("torch.relu") == LINE + 2, f"{graph['nodes']}")
    written = {node["target"]: (node["args"], node["arguments"]) for node in graph["nodes"]}
    names, text = written["operator.add"]
    check(len(names) == 1 and text == f"{names[0]}, 1", f"a constant is lost: {written}")
    edges = {node["name"]: node["args"] for node in graph["nodes"]}
    check(all(name in edges for names in edges.values() for name in names), f"an edge from nowhere: {edges}")
    check((graph["frame"], graph["line"]) == ("program", LINE), f"{graph['frame']}, {graph['line']}")
    check(any(guard["line"] == LINE + 1 for guard in graph["guards"]), f"{graph['guards']}")
    check([(call["graphs_before"], call["graphs_after"]) for call in told["calls"]] == [(0, 1), (1, 1)], told["calls"])
    check(told["counters"]["stats"]["unique_graphs"] == 1, told["counters"])


def bounds_texts():
    whole = gathered((torch.ones(3),))["graphs"][0]
    room, text = report._MOST_TEXTS, report._MOST_TEXT
    try:
        report._MOST_TEXT = 40
        told = gathered((torch.ones(3),))
        cut = told["graphs"][0]
        check(len(cut["fx"]) == 40 and whole["fx"].startswith(cut["fx"]), cut["fx"])
        check(any("graph 0/0" in sentence and "first 40" in sentence for sentence in told["missing"]), told["missing"])
        check(cut["nodes"] == whole["nodes"], "nodes don't come from the cut text")
        report._MOST_TEXT, report._MOST_TEXTS = text, 100
        told = gathered((torch.ones(3),))["graphs"][0]
        check(len(told["fx"]) + sum(len(guard["text"]) for guard in told["guards"]) <= 100, told)
    finally:
        report._MOST_TEXTS, report._MOST_TEXT = room, text
    most = report._MOST_GRAPHS, report._MOST_NODES, report._MOST_GUARDS
    try:
        report._MOST_NODES, report._MOST_GUARDS = 2, 1
        told = gathered((torch.ones(3),))
        check(len(told["graphs"][0]["nodes"]) == 2 and len(told["graphs"][0]["guards"]) == 1, told["graphs"])
        check(sum("left out" in sentence for sentence in told["missing"]) == 2, told["missing"])
        report._MOST_GRAPHS = 1
        told = gathered((torch.ones(3),), (torch.ones(3, 3),))
        check(len(told["graphs"]) == 1 and told["calls"][1]["graphs_after"] == 2, told["calls"])
        check(any(sentence.startswith("graphs after") for sentence in told["missing"]), told["missing"])
    finally:
        report._MOST_GRAPHS, report._MOST_NODES, report._MOST_GUARDS = most


def says_what_was_different():
    for reason, says in (
            ("0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3",
             "The size of x changed in dimension 0: it was 2 and is 3."),
            ("0/0: tensor 'x' dtype mismatch. expected Float, actual Double",
             "The dtype of x changed: it was Float and is Double."),
            ("3/1: tensor 'x' requires_grad mismatch. expected requires_grad=0", "x requires gradients now, and did not before."),
            ("0/0: n == 1                    # f(x, n)  # mine.py:7 in program", "The value of n changed: it was 1."),
            ("0/1: 2 <= x.size()[0] <= 4  # if x.shape[0] < 5:  # mine.py:3 in program",
             "A size left its range: x.size()[0] was between 2 and 4."),
            ("0/0: ___check_obj_id(f, 140703788241984), type=<class 'builtin_function_or_method'>  # f(x)", "f is another object."),
            ("0/0: ___check_type_id(m, 94784255192496), type=<class 'R'>  # m(x)", "m is of another type."),
            ("0/0: something that no version has said yet", "")):
        told = records(({"artifact": {"name": "recompile_reasons"}, "frame_id": 0, "frame_compile_id": 1}, reason))
        (row,) = told["recompiles"]
        check(row["says"] == says and row["reason"].startswith(reason[:4]), f"{reason}: {row}")


def survives_other_forms():
    told = records(
        ({"dynamo_start": 7, "frame_id": 0, "frame_compile_id": 0}, None),
        ({"artifact": {"name": "dynamo_graph_break_reason"}}, ""),
        ({"artifact": {"name": "dynamo_graph_break_reason"}}, f'something else\n  File "{FILE}", line 12, in f\n'),
        ({"artifact": {"name": "recompile_reasons"}, "frame_id": 0, "frame_compile_id": 1}, "[3"),
        ({"aot_forward_graph": {}, "frame_id": 9, "frame_compile_id": 9}, "a graph of no frame"),
        ({"never_seen": {}}, "text"))
    check([row["line"] for row in told["breaks"]] == [0, 12], told["breaks"])
    check(told["breaks"][0]["reason"] == "unknown" and told["breaks"][1]["reason"] == "something else", told["breaks"])
    check([row["reason"] for row in told["recompiles"]] == ["[3"], told["recompiles"])
    check(any("can't be read" in sentence for sentence in told["missing"]), told["missing"])


def says_what_is_missing():
    log = compiler.trace_log
    try:
        compiler.trace_log = None
        told = gathered((torch.ones(3),))
        check(told["graphs"] == [] and len(told["missing"]) == 1 and "structured trace" in told["missing"][0], told)
    finally:
        compiler.trace_log = log
    reader = report._READERS.pop("dynamo_cpp_guards_str")
    try:
        told = gathered((torch.ones(3),))
        check(told["graphs"][0]["guards"] == [], told["graphs"])
        check(any(sentence.startswith("guards:") for sentence in told["missing"]), told["missing"])
    finally:
        report._READERS["dynamo_cpp_guards_str"] = reader


for test in (reads_a_graph, bounds_texts, says_what_was_different, survives_other_forms, says_what_is_missing):
    test()
    print(test.__name__, "as it should be")
