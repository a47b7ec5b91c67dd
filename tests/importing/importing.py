"""jitprobe import by its command line, on real torch: archives, models, graphs, and files that are none of them.

    python importing.py
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "campaign"))

from common import check, folder, jitprobe, last_json  # noqa: E402

PYTHON = os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
MODELS = ("gru", "resnet18")
# Layers with weights, a buffer that is written, a keyword, one operator without a public name, nested results.
ARCHIVE = """import sys, torch
from torch import nn
from torch.nn import functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.words = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Embedding(10, 4)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x, at, scale=None):
        self.count.add_(1)
        y = F.max_pool2d(F.silu(self.norm(self.conv(x))), 2)
        y = F.interpolate(y, scale_factor=2.0, mode="bilinear").mean((2, 3))[:, 1:5]
        first, second = (y + self.words(at)).split([1, 3], dim=1)
        return {"first": first * scale, "rest": (second.softmax(-1), second.contiguous().view(-1))}

torch.manual_seed(0)
args, kwargs = (torch.randn(2, 3, 6, 6), torch.tensor([1, 7])), {"scale": torch.tensor(0.5)}
torch.export.save(torch.export.export(Model(), args, kwargs), sys.argv[1])
"""
PROGRAMS = {
    # Branches, a loop over a tensor, writes, what is computed without gradients, arguments that share memory.
    "plain": """import torch
weight = torch.randn(3, 3, requires_grad=True)
def make_inputs():
    x = torch.randn(4, 3)
    return (x, x[1:], {"times": 2})
def program(x, y, more):
    a = x @ weight
    with torch.no_grad():
        b = a * more["times"]
    a += b
    for row in y:
        a = a - row
    a[0, 1:] = 5.0
    return {"a": torch.topk(a, 2), "b": b}
""",
    "branch": """import torch
def make_inputs():
    return (torch.arange(4.0),)
def program(x):
    return x * 2 if x.sum() > 5 else x - 1
""",
    "counts": """import torch
seen = []
def make_inputs():
    return (torch.arange(4.0),)
def program(x):
    seen.append(1)
    return x + len(seen)
""",
    "autocast": """import torch
def make_inputs():
    return (torch.ones(3, 3),)
def program(x):
    with torch.autocast("cpu"):
        return x @ x
""",
    "raises": "import torch\ndef program():\n    return torch.ones(2) @ torch.ones(3)\n",
    "nothing": "x = 1\n",
    "leaves": "import sys\nsys.exit(0)\n",
    "leaves_later": "import sys\nimport torch\ndef program():\n    sys.exit(1)\n",
    "leaves_again": """import sys
import torch
seen = []
def make_inputs():
    return (torch.arange(4.0),)
def program(x):
    if seen:
        sys.exit(1)
    seen.append(1)
    return x + 1
""",
    "untorched": "def make_inputs():\n    return (1,)\ndef program(x):\n    return x\n",
}


# Imports one file after the other in one process, as the command does; its argument is a list of [file, out].
IMPORTS = """import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from importing import main
for file, out in json.loads(sys.argv[2]):
    said, wrong = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(wrong):
        status = main.main(["--out", out, "--", file])
    print(json.dumps([status, said.getvalue(), wrong.getvalue()]))
"""


def imports(pairs):
    """What `jitprobe import` answers for each file, without a start for each."""
    ran = subprocess.run([PYTHON, "-c", IMPORTS, ROOT / "pyrunner", json.dumps([list(map(str, pair)) for pair in pairs])],
                         capture_output=True, text=True)
    check(ran.returncode == 0, ran.stderr)
    return [subprocess.CompletedProcess(pair, *json.loads(line)) for pair, line in zip(pairs, ran.stdout.splitlines())]


def brought_in(source, out):
    answer = jitprobe("import", source, "--out", out)
    check(answer.returncode == 0, f"import {source}: {answer.returncode} {answer.stdout}{answer.stderr}")
    return answer.stdout


def refused(source, *words):
    is_refused(jitprobe("import", source, "--out", "/dev/null"), source, *words)


def is_refused(answer, source, *words):
    lines = answer.stderr.strip().splitlines()
    check(answer.returncode == 2 and len(lines) == 1 and lines[0].startswith("jitprobe: "), f"{source}: {answer}")
    check(all(word in lines[0] for word in words), f"{source}: none of {words} in {lines[0]}")


def straight(path):
    """The statements of the program; none of them has a body but `with torch.no_grad()`."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    body = text.partition("def program(")[2].partition("):\n")[2]
    check(not re.search(r"^ *(?!with torch\.no_grad)\w.*:$", body, re.M), f"{path} is no straight line:\n{body}")
    return body


def sites(path):
    """Lines and sites where mutations apply."""
    rows = last_json(jitprobe("mutate", path, "--list", "--json"))
    return len({row["statement"] for row in rows}), len(rows)


def archive(work):
    source, out = f"{work}/model.pt2", f"{work}/archive.py"
    subprocess.run([PYTHON, "-c", ARCHIVE, source], check=True, capture_output=True)
    told = brought_in(source, out)
    check("the same bit for bit" in told and "only" not in told, told)
    body = straight(out)
    for part in ("torch.conv2d(", "torch.batch_norm(", ".add_(1)", "torch.ops.aten.upsample_bilinear2d.vec(", "[:, 1:5]",
                 "torch.softmax(", 'return {"first": '):
        check(part in body, f"no {part} in\n{body}")
    check("requires_grad_()" in pathlib.Path(out).read_text(encoding="utf-8"), "its weights ask for no gradients")
    answer = jitprobe("run", out, "--backend", "eager")
    check(answer.returncode == 0 and "agree" in answer.stdout, f"{answer.stdout}{answer.stderr}")
    data = pathlib.Path(source).read_bytes()
    for name, part in (("cut", data[: len(data) // 2]), ("other", data.replace(b"PK", b"KP")), ("empty", b"")):
        pathlib.Path(work, f"{name}.pt2").write_bytes(part)


def models(work):
    paths = [ROOT / "corpus" / "models" / f"{name}.py" for name in MODELS]
    answer = jitprobe("import", *paths, "--out", f"{work}/models/")
    check(answer.returncode == 0 and answer.stdout.count("bit for bit") == 2, f"{answer.stdout}{answer.stderr}")
    for name in MODELS:
        straight(f"{work}/models/{name}.py")
    # Of the smaller one: listing the sites of the other takes long.
    (lines, all_sites), (flat_lines, flat_sites) = sites(paths[0]), sites(f"{work}/models/{MODELS[0]}.py")
    check(flat_sites > 2 * all_sites, f"{all_sites} sites at {lines} lines, then {flat_sites} at {flat_lines}")
    again = jitprobe("import", paths[0])
    check(again.stdout == pathlib.Path(work, "models", f"{MODELS[0]}.py").read_text(encoding="utf-8"), "other bytes")
    text = pathlib.Path(work, "models", "resnet18.py").read_text(encoding="utf-8")
    check("# Drawn with" in text and ".normal_(" in text and "base64" in text, "large weights are not drawn")


def files(work):
    """Files that become programs and files that do not, each for itself."""
    for name, text in PROGRAMS.items():
        pathlib.Path(work, f"{name}.py").write_text(text, encoding="utf-8")
    pathlib.Path(work, "bad.onnx").write_text("no model", encoding="utf-8")
    pathlib.Path(work, "latin.py").write_bytes("# caf\u00e9\nx = 1\n".encode("latin-1"))
    here = subprocess.run([PYTHON, "-c", "import onnx"], capture_output=True).returncode == 0
    wrong = {
        "cut.pt2": "torch.export", "other.pt2": "torch.export", "empty.pt2": "torch.export", "autocast.py": "autocast",
        "latin.py": "utf-8", "leaves.py": "SystemExit", "leaves_later.py": "SystemExit", "leaves_again.py": "SystemExit",
        "raises.py": "size", "nothing.py": "`program` is not defined", "untorched.py": "nothing that holds a tensor",
        "bad.onnx": "no ONNX model" if here else "pip install onnx",
    }
    right = ["plain", "branch", "counts"]
    answers = imports([(f"{work}/{name}.py", f"{work}/out_{name}.py") for name in right]
                      + [(f"{work}/{name}", "/dev/null") for name in wrong])
    check(len(answers) == len(right) + len(wrong), answers)
    for answer, (name, word) in zip(answers[len(right):], wrong.items()):
        is_refused(answer, name, word)
    plain, branch, counts = answers[:3]
    check(plain.returncode == 0 and "only" not in plain.stdout, plain)
    body = straight(f"{work}/out_plain.py")
    check("with torch.no_grad():" in body and ".unbind(0)" in body and ", v" in body, body)
    check(branch.returncode == 0 and "on these values only" in branch.stdout, branch)
    check(counts.returncode == 1 and "differ" in counts.stdout, counts)
    # The command line passes on status and sentence.
    refused(f"{work}/raises.py", "size")
    refused(f"{work}/missing.pt2", "no such file")
    refused(ROOT / "README.md", "'.md'")
    answer = jitprobe("import", f"{work}/counts.py", "--out", f"{work}/out.py")
    check(answer.returncode == 1 and "differ" in answer.stdout, answer)


def graphs(work):
    for seed in (0, 7, 11):
        graph = jitprobe("generate", "--seed", seed, "--ops", 15, "--as", "graph").stdout
        path = pathlib.Path(work, f"graph_{seed}.json")
        path.write_text(graph, encoding="utf-8")
        source = jitprobe("generate", "--seed", seed, "--ops", 15).stdout
        check(jitprobe("import", path).stdout == source, f"the graph of seed {seed} is another program")
    for name, text in (("other", "[1, 2]"), ("cut", graph[: len(graph) // 2]), ("none", "{}")):
        pathlib.Path(work, f"{name}.json").write_text(text, encoding="utf-8")
        refused(f"{work}/{name}.json", "this is no ")
    pathlib.Path(work, "newer.json").write_text(graph.replace('"graph_version":1', '"graph_version":2'), encoding="utf-8")
    refused(f"{work}/newer.json", "version 2", "newer jitprobe")
    pathlib.Path(work, "names.json").write_text(re.sub(r'"forms":\["[^"]*"', '"forms":["torch.f($9)"', graph), encoding="utf-8")
    refused(f"{work}/names.json", "torch.f($9)")


if __name__ == "__main__":
    with folder() as work_folder:
        archive(work_folder)
        models(work_folder)
        files(work_folder)
        graphs(work_folder)
    print("importing behaves")
