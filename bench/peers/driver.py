"""./dev bench peers [--python PATH]

NNSmith (PyPI, `nnsmith[torch]`) side by side: programs a second at 20 operators, each generator in one process on one core.

NNSmith wants a venv of its own: make one with a CPU torch and nnsmith in it at build/peers, or name its interpreter with
--python. Without one only our own rate is printed, and a line says so.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
OPERATORS = 20
# NNSmith's default: a model of its own torch backend, symbolic search with concretised inputs.
SCRIPT = f"""
import json, time
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset
kind = Model.init("torch", "cpu")
opset = auto_opset(kind)
made, began = 0, time.monotonic()
while time.monotonic() - began < 60:
    try:
        generator = model_gen(opset=opset, seed=made, max_nodes={OPERATORS})
        kind.from_gir(generator.make_concrete())
    except Exception:
        pass
    made += 1
print(json.dumps(made / (time.monotonic() - began)))
"""


def ours(count=20000):
    began = time.monotonic()
    subprocess.run([JITPROBE, "generate", "--seed", "1", "--count", str(count), "--ops", str(OPERATORS), "--out", "-"],
                   check=True, stdout=subprocess.DEVNULL)
    return count / (time.monotonic() - began)


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=ROOT / "build" / "peers" / "bin" / "python")
    options = parser.parse_args(words)
    rate = ours()
    figure("peers/jitprobe", rate, "programs/s", operators=OPERATORS)
    probe = subprocess.run([options.python, "-c", "import nnsmith"], capture_output=True) if pathlib.Path(
        options.python).exists() else None
    if probe is None or probe.returncode != 0:
        print(f"bench: no nnsmith at {options.python}: it is left out", file=sys.stderr)
        return 0
    answer = subprocess.run([options.python, "-c", SCRIPT], check=True, capture_output=True, text=True)
    theirs = json.loads(answer.stdout.splitlines()[-1])
    figure("peers/nnsmith", theirs, "programs/s", operators=OPERATORS)
    figure("peers/times", rate / theirs, "1")
    return 0
