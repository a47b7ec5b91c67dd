"""Every mutation against eager torch: programs are mutated step by step, each step is profiled and compared with the
program before it.

A bitwise mutation must leave every output, input, gradient flag, stride and printed text as it was, bit for bit, and
gradients within torch.testing's default tolerances (they add up in another order where a value is read in pieces); one
that rounds must leave every tensor and Python float within them and all else as it was; a variation must give a program
that ends without an exception, a broken one an exception in its first call. Prints the shares for each mutation and every
failure; exits 1 when the share of one that is bitwise or rounds falls below 0.98, when a result does not parse, or when a
replay gives other bytes.

    exactness.py MUTATE_FILTER [--programs N] [--steps N] [--seed N] [--only MUTATION,...] [--sources FILE...] [--show]

Programs are those of tests/mutate/programs, or files, or JSON lines with "source" (as seedgen_dump prints them).
JITPROBE_WORKER must name the worker, as ./dev sets it.
"""

import argparse
import base64
import collections
import difflib
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
if "JITPROBE_WORKER" not in os.environ:
    sys.exit("JITPROBE_WORKER must be the path of jitprobe-worker: profiles are read by the extension beside it")
sys.path.insert(0, os.path.dirname(os.environ["JITPROBE_WORKER"]))

import torch  # noqa: E402

sys.path.insert(0, str(HERE.parent))
import runtime_package  # noqa: E402

runtime_package.load()

from jitprobe_runtime import load, profile  # noqa: E402
from jitprobe_runtime.state import process as state  # noqa: E402

BOUND = 0.98


class Filter:
    """The engine behind a pipe."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(finite(request), default=as_text) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the engine died on {str(request)[:2000]}")
        return json.loads(answer)


def finite(value):
    """Floats without end, as codec reads them from text."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def as_text(value):
    """Bytes, as codec reads them from text."""
    return {"base64": base64.b64encode(value).decode()}


def run(source, watched, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ending, facts = profile.run(program_of(source), str(folder / "program.py"), watched)
    state.restore()
    return visible(ending, source), facts


def program_of(source):
    return {"source": source, "entry": "program", "inputs": "make_inputs"}


def moved_facts(source, file, watched):
    """What campaign::moved_facts gives: facts of two runs with moved roundings."""
    found = []
    for seed in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ending, facts = profile.run(program_of(source), file, watched, False, seed)
        state.restore()
        if ending["kind"] == "finished":
            found.append(facts)
    return found if len(found) == 2 else []


def visible(ending, source):
    """What must not change, without what may: object identities, storage numbers, version counters."""
    if ending["kind"] != "finished":
        return {"raised": ending.get("reason", ending["kind"])}
    observation = ending["observation"]
    tensors = []
    for tensor in observation["tensors"]:
        tensors.append({key: tensor.get(key) for key in ("dtype", "shape", "requires_grad", "bytes")})
        # Strides along axes of one element or of empty tensors mean nothing.
        if 0 not in tensor.get("shape", ()):
            tensors[-1]["strides"] = [s for s, n in zip(tensor.get("strides", ()), tensor.get("shape", ())) if n != 1]

    def plain(value):
        if isinstance(value, dict):
            value = dict(value)
            if value.get("kind") == "tensor":
                return [value["type"], tensors[value["index"]]]
            if value.get("backward_exception"):
                # The message names the operator whose saved tensor was written to, whatever it is called.
                value["backward_exception"] = {"type": value["backward_exception"]["type"]}
                # How far it came before it failed is no promise of autograd's.
                value.pop("gradients", None)
            return {key: plain(item) for key, item in value.items() if key not in ("mode", "warnings")}
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, str):
            return value.replace(load.module_name(source), "program")
        return value

    return plain({"calls": observation["calls"], "observed": observation.get("observed")})


def same(before, after, exactness):
    """Whether the effect of a mutation is what its exactness promises."""
    if exactness == "rounding":
        return near(before, after)
    strict, late = split(before), split(after)
    return exactness == "variation" or strict[0] == late[0] and near(strict[1], late[1])


def split(seen):
    """What is seen without its gradients, and these."""
    calls = [{key: value for key, value in call.items() if key != "gradients"} for call in seen["calls"]]
    return {**seen, "calls": calls}, [call.get("gradients") for call in seen["calls"]]


def near(before, after):
    """Equal but for rounding of floating elements and of Python floats."""
    if type(before) is not type(after):
        return False
    if isinstance(before, list):
        return len(before) == len(after) and all(map(near, before, after))
    if not isinstance(before, dict):
        return before == after
    if before.keys() != after.keys():
        return False
    one, other = numbers(before), numbers(after)
    if one is None or other is None or one.dtype != other.dtype:
        return all(near(value, after[key]) for key, value in before.items())
    rest = (near(value, after[key]) for key, value in before.items() if key not in ("bytes", "text"))
    return all(rest) and near_elements(one, other)


def numbers(record):
    """The floating or complex elements of a recorded tensor or Python float, or None."""
    if record.get("kind") == "float":
        return torch.tensor(float.fromhex(record["text"]), dtype=torch.float64)
    dtype = getattr(torch, record.get("dtype", "int64"))
    if not record.get("bytes") or not (dtype.is_floating_point or dtype.is_complex):
        return None
    return torch.frombuffer(bytearray(record["bytes"]), dtype=dtype)


def near_elements(one, other):
    try:
        torch.testing.assert_close(other, one, equal_nan=True)
    except AssertionError:
        return False
    return True


def exceptions(seen):
    return [call["exception"]["type"] for call in seen.get("calls", ()) if call.get("exception")]


def sources(paths):
    for path in paths or sorted((HERE / "programs").glob("*.py")):
        text = pathlib.Path(path).read_text(encoding="utf-8")
        if str(path).endswith(".py"):
            yield pathlib.Path(path).name, text
        else:
            for number, line in enumerate(text.splitlines()):
                yield f"{path}:{number}", json.loads(line)["source"]


class Report:
    def __init__(self, show):
        self.show = show
        self.counts = collections.defaultdict(collections.Counter)
        self.broken = 0

    def failed(self, kind, name, step, before, after, detail=""):
        self.counts[step.split("@")[0]][kind] += 1
        print(f"{kind}: {name} {step} {detail}", flush=True)
        if self.show and after:
            print("".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True))))

    def finish(self):
        bad = self.broken
        for name, counts in sorted(self.counts.items()):
            applied = counts["applied"]
            share = (applied - counts["invalid"] - counts["inexact"]) / applied if applied else 0
            bad += counts["exact"] and share < BOUND
            print(f"{name:24} tried {counts['tried']:5} applied {applied:5} invalid {counts['invalid']:3} "
                  f"inexact {counts['inexact']:3} good {share:.3f}")
        return 1 if bad else 0


def one_step(engine, rng, options, name, source, watched, folder, report):
    """The source after one good step, with what to watch in it; or the old one."""
    before, facts = run(source, watched, folder)
    sites = engine.ask(sites=facts)["sites"]
    if options.only:
        sites = [site for site in sites if site[0] in options.only]
    if not sites or "raised" in before:
        return source, watched
    mutation = rng.choice(sorted({site[0] for site in sites}))
    _, exactness, statement, path, needs_moved = rng.choice([site for site in sites if site[0] == mutation])
    if needs_moved:
        engine.ask(moved=moved_facts(source, str(folder / "program.py"), watched))
    seed = rng.getrandbits(40)
    made = engine.ask(apply=[mutation, statement, path], seed=seed)
    report.counts[mutation]["tried"] += 1
    if made["source"] is None:
        if made.get("unparsable"):
            report.broken += 1
            print(f"unparsable: {name} {mutation}@{statement}:{path} seed {seed}")
        return source, watched
    report.counts[mutation]["applied"] += 1
    report.counts[mutation]["exact"] += exactness in ("bitwise", "rounding")
    if not made["replays"]:
        report.broken += 1
        print(f"replay differs: {name} {made['step']}")
    after, _ = run(made["source"], made["watched"], folder)
    if exactness == "broken":
        if "raised" in after or not after["calls"][0].get("exception"):
            report.failed("invalid", name, made["step"], source, made["source"], after.get("raised") or "goes through")
        return source, watched
    if "raised" in after or exceptions(after) != exceptions(before):
        detail = after.get("raised") or str([call.get("exception") for call in after["calls"]])[:300]
        report.failed("invalid", name, made["step"], source, made["source"], detail)
        return source, watched
    if not same(before, after, exactness):
        report.failed("inexact", name, made["step"], source, made["source"], difference(before, after))
        return source, watched
    engine.ask(keep=True)
    return made["source"], made["watched"]


def difference(before, after, where=""):
    if type(before) is type(after) is dict:
        for key in before:
            if before[key] != after.get(key):
                return difference(before[key], after.get(key), f"{where}.{key}")
    if type(before) is type(after) is list and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after)):
            if one != other:
                return difference(one, other, f"{where}[{number}]")
    return f"{where}: {str(before)[:200]} -> {str(after)[:200]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter")
    parser.add_argument("--programs", type=int, default=32)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=lambda text: set(text.split(",")), default=set())
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    state.take_baseline()
    engine, report = Filter(options.filter), Report(options.show)
    programs = list(sources(options.sources))
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(options.programs):
            name, source = programs[number % len(programs)]
            rng = random.Random(f"{options.seed} {number}")
            loaded = engine.ask(load=source)
            if "error" in loaded:
                sys.exit(f"{name}: {loaded['error']}")
            watched = loaded["watched"]
            for _ in range(options.steps):
                source, watched = one_step(engine, rng, options, name, source, watched, pathlib.Path(temporary), report)
            steps = [step for step in range(options.steps) if rng.random() < 0.5]
            engine_steps = engine.ask(count=True).get("count", 0)
            some = engine.ask(replay=[step for step in steps if step < engine_steps])["source"]
            compile(some, name, "exec")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
