"""./dev bench peers [--python PATH]

NNSmith (PyPI, `nnsmith[torch]`) side by side: programs a second at 20 operators, each generator in one process on one core, by processor time.

NNSmith wants a venv of its own: make one with a CPU torch and nnsmith in it at build/peers, or name its interpreter with
--python. Without one only our own rate is printed, and a line says so.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
OPERATORS = 20
SECONDS = 30
# As its command line does by default, but for the number of operators. One line a model, so that a search that does not
# come to an end costs no more than what was made before it.
SCRIPT = f"""
import time
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset
kind = Model.init("torch", "cpu")
opset = auto_opset(kind)
began, used, seed = time.monotonic(), time.process_time(), 0
while time.monotonic() - began < {SECONDS}:
    made = model_gen(opset=opset, method="symbolic-cinit", seed=seed, max_nodes={OPERATORS}, timeout_ms=10000)
    kind.from_gir(made.make_concrete())
    seed += 1
    print(seed, time.process_time() - used, flush=True)
"""


def ours(count=20000):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([JITPROBE, "generate", "--seed", "1", "--count", str(count), "--ops", str(OPERATORS), "--out", "-"],
                   check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return count / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def theirs(python):
    """Models made and the processor seconds they took, the last that came to an end included."""
    try:
        answer = subprocess.run([python, "-W", "ignore", "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                timeout=4 * SECONDS)
        told = answer.stdout
    except subprocess.TimeoutExpired as late:
        told = late.stdout or b""
    lines = told.decode().splitlines()
    return (int(lines[-1].split()[0]), float(lines[-1].split()[1])) if lines else (0, 0.0)


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
    models, seconds = theirs(options.python)
    if models == 0:
        print("bench: nnsmith made no model", file=sys.stderr)
        return 1
    rate_of_theirs = models / seconds
    figure("peers/nnsmith", rate_of_theirs, "programs/s", operators=OPERATORS, programs=models)
    figure("peers/times", rate / rate_of_theirs, "1")
    return 0
