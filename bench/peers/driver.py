"""./dev bench peers [--nnsmith PYTHON]

NNSmith (PyPI, `nnsmith[torch]`) side by side: programs a second at 20 operators, each generator in one process on one
core, by processor time. All of its time counts, that of models which its search or torch gives up too: so it is also said
how many a second there would be if each took as long as the middle one.

NNSmith wants a venv of its own: make one with a CPU torch and nnsmith in it at build/peers, or name its interpreter with
--nnsmith. Without one only our own rate is printed, and a line says so.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
OPERATORS = 20
SECONDS = 90
# As its command line does by default, but for the number of operators. A line for each seed: whether it gave a model, and
# the processor seconds so far.
SCRIPT = f"""
import time
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset
kind = Model.init("torch", "cpu")
opset = auto_opset(kind)
began, used, seed = time.monotonic(), time.process_time(), 0
while time.monotonic() - began < {SECONDS}:
    made = 1
    try:
        graph = model_gen(opset=opset, method="symbolic-cinit", seed=seed, max_nodes={OPERATORS}, timeout_ms=10000)
        kind.from_gir(graph.make_concrete())
    except Exception:
        made = 0
    seed += 1
    print(made, time.process_time() - used, flush=True)
"""


def ours(count=20000):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([JITPROBE, "generate", "--seed", "1", "--count", str(count), "--ops", str(OPERATORS), "--out", "-"],
                   check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return count / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def theirs(python):
    """Of each seed that came to an end whether it gave a model, and the processor seconds that it took."""
    try:
        answer = subprocess.run([python, "-W", "ignore", "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                timeout=4 * SECONDS)
        told = answer.stdout
    except subprocess.TimeoutExpired as late:
        told = late.stdout or b""
    seeds = [line.split() for line in told.decode().splitlines()]
    ends = [float(end) for _, end in seeds]
    return [(made == "1", end - start) for (made, _), start, end in zip(seeds, [0.0, *ends], ends)]


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nnsmith", default=ROOT / "build" / "peers" / "bin" / "python")
    options = parser.parse_args(words)
    rate = ours()
    figure("peers/jitprobe", rate, "programs/s", operators=OPERATORS)
    probe = subprocess.run([options.nnsmith, "-c", "import nnsmith"], capture_output=True) if pathlib.Path(
        options.nnsmith).exists() else None
    if probe is None or probe.returncode != 0:
        print(f"bench: no nnsmith at {options.nnsmith}: it is left out", file=sys.stderr)
        return 0
    seeds = theirs(options.nnsmith)
    models = sum(made for made, _ in seeds)
    if models == 0:
        print("bench: nnsmith made no model", file=sys.stderr)
        return 1
    rate_of_theirs = models / sum(seconds for _, seconds in seeds)
    middle = statistics.median(seconds for made, seconds in seeds if made)
    figure("peers/nnsmith", rate_of_theirs, "programs/s", operators=OPERATORS, programs=models,
           without=len(seeds) - models)
    figure("peers/nnsmith, if each took as long as the middle one", 1 / middle, "programs/s")
    figure("peers/times", rate / rate_of_theirs, "1")
    return 0
