"""`jitprobe run --explain`: what compiling did, on every backend of the ladder, for programs with graph breaks, with
recompilations over the calls, with a backward, for a model, and for compiles that fail, hang or crash."""

import json

from common import check, folder, jitprobe

# The lines that the tests name are marked.
PROGRAM = """import torch


def make_inputs():
    return [(torch.ones(3, requires_grad=True), 2), (torch.ones(3, requires_grad=True), 3)]


def program(x, n):
    y = x.sin() + n  # again
    torch._dynamo.graph_break()  # break
    return (y * y).sum()  # after
"""
MODEL = """import torch

torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)


def make_inputs():
    return (torch.ones(2, 3, 8),)


def program(x):
    return layer(x).relu()  # layer
"""
# A backend whose compiler does something other than compile, once it has the graph.
BACKEND = """import os, time
import torch


def fail(graph, inputs):
    {}


def compile(fn, **options):
    return torch.compile(fn, backend=fail, **options)
"""
LADDER = ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor")


def line(text, mark):
    return next(number for number, one in enumerate(text.splitlines(), 1) if one.endswith("# " + mark))


def write(work, name, text):
    path = f"{work}/{name}.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def explained(path, *words, status=0):
    answer = jitprobe("run", path, "--explain", "--json", *words)
    check(answer.returncode == status, f"{words}: {answer.returncode}: {answer.stdout[-2000:]}{answer.stderr}")
    rows = json.loads(answer.stdout)
    return rows if isinstance(rows, list) else [rows]


def ladder(work):
    rows = explained(write(work, "program", PROGRAM), "--backend", "ladder")
    check([row["backend"] for row in rows] == list(LADDER), [row["backend"] for row in rows])
    again, broke, after = (line(PROGRAM, mark) for mark in ("again", "break", "after"))
    for row in rows:
        backend, told = row["backend"], row["compiled"]
        check(row["verdict"]["kind"] == "agree", f"{backend}: {row['verdict']}")
        check(told["error"] == "" and told["missing"] == [], f"{backend}: {told['error']} {told['missing']}")
        check([one["line"] for one in told["breaks"]] == [broke], f"{backend}: {told['breaks']}")
        check(all(one["reason"] and one["reason"] in one["says"] for one in told["breaks"]), f"{backend}: {told['breaks']}")
        check(told["recompiles"] and all(one["reason"] and one["call"] == 1 for one in told["recompiles"]),
              f"{backend}: {told['recompiles']}")
        check(again in [one["line"] for one in told["recompiles"]], f"{backend}: {told['recompiles']}")
        graphs = told["graphs"]
        check(any(graph["recompiled_because"] for graph in graphs), f"{backend}: no graph says why it is there")
        check(told["calls"][0]["graphs_after"] == 2 and told["calls"][1]["graphs_before"] == 2
              and told["calls"][1]["graphs_after"] == len(graphs) > 2, f"{backend}: {told['calls']}")
        for graph in graphs:
            names = {node["name"] for node in graph["nodes"]}
            check(graph["fx"] and names and graph["guards"], f"{backend}: {graph['id']} is empty")
            check(all(name in names for node in graph["nodes"] for name in node["args"]), f"{backend}: {graph['nodes']}")
            check(bool(graph["aot_forward"] and graph["aot_backward"]) == (backend != "eager"), f"{backend}: {graph}")
            check(bool(graph["code"]) == (backend == "inductor"), f"{backend}: {graph['code'][:200]}")
        first, second = ({node["line"] for node in graph["nodes"]} for graph in graphs[:2])
        check(again in first and after not in first and after in second, f"{backend}: {first} and {second}")
        check(any(guard["line"] == again for graph in graphs for guard in graph["guards"]), f"{backend}: guards' lines")
        check(told["counters"]["totals"]["graph_breaks"] >= 1, f"{backend}: {told['counters']}")
        check(told["counters_before"]["totals"]["graphs"] == 0, f"{backend}: {told['counters_before']}")
    check(rows[-1]["compiled"]["counters"]["totals"]["generated_kernels"] >= 1, "no kernel is counted")
    check("cpp" in graphs[0]["code"] and graphs[0]["code"].count("async_compile") >= 2, "forward and backward's code")


def in_words(work):
    answer = jitprobe("run", write(work, "program", PROGRAM), "--backend", "aot_eager", "--backend", "plain", "--explain")
    check(answer.returncode == 0, answer.stderr)
    for words in ("graphs with", f"graph break, line {line(PROGRAM, 'break')}: ", "compiled again in call 2, line ",
                  f"guard, line {line(PROGRAM, 'again')}: ", "AOTAutograd's forward, backward",
                  "plain compiled 0 graphs"):
        check(words in answer.stdout, f"'{words}' is not in {answer.stdout}")


def models(work):
    told = explained(write(work, "model", MODEL), "--backend", "aot_eager")[0]["compiled"]
    check(told["error"] == "" and told["missing"] == [], f"{told['error']} {told['missing']}")
    nodes = [node for graph in told["graphs"] for node in graph["nodes"]]
    calls = [node for node in nodes if node["op"].startswith("call_")]
    # The nodes come from torch's own files; their line is that of the program's call.
    check(len(calls) > 8 and all(node["line"] == line(MODEL, "layer") for node in calls), f"{calls}")


def fails(work):
    path = write(work, "program", PROGRAM)
    told = explained(path, "--backend", write(work, "fails", BACKEND.format("raise ValueError('no graph')")), status=1)[0]
    told = told["compiled"]
    check("no graph" in told["error"] and told["error"].startswith("call 1 raised"), told["error"])
    check(told["graphs"] and told["graphs"][0]["nodes"] and told["breaks"], "what was seen before is lost")
    answer = jitprobe("run", path, "--explain", "--limit", 3, "--backend",
                      write(work, "hangs", BACKEND.format("time.sleep(1000)")))
    check(answer.returncode == 1 and "no compile report: the compiled run gave no answer within" in answer.stdout,
          f"{answer.returncode}: {answer.stdout}{answer.stderr}")
    told = explained(path, "--backend", write(work, "crashes", BACKEND.format("os.abort()")), status=1)[0]["compiled"]
    check(list(told) == ["error"] and "signal 6" in told["error"], f"{told}")


with folder() as work:
    ladder(work)
    in_words(work)
    models(work)
    fails(work)
