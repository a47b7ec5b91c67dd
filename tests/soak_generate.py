"""The generator at full size, in pieces: `./dev soak generate` goes on where it was stopped.

Of `count` programs of 20 operators all are made, a twentieth as many of 100, and a hundredth as many of 20 run in eager
(seedgen/check_programs.py). What is done stands in build/soak/generate.json, with every piece that failed: a failed piece
fails each later call too, until the file is removed. Another first seed, count or generator version begins anew.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STATE = HERE.parent / "build" / "soak" / "generate.json"
PIECE = {"made": 250000, "made of 100": 12500, "run in eager": 2500}


def first_seed():
    return int(subprocess.run(["sh", HERE / "first_seed.sh"], check=True, capture_output=True, text=True).stdout)


def generator_version():
    return int(re.search(r"kGeneratorVersion = (\d+);", (HERE.parent / "seedgen/draw/options.h").read_text())[1])


def load(first, count):
    fresh = {"version": generator_version(), "first": first, "count": count, "done": dict.fromkeys(PIECE, 0), "failed": []}
    if not STATE.exists():
        return fresh
    kept = json.loads(STATE.read_text())
    return kept if all(kept[key] == fresh[key] for key in ("version", "first", "count")) else fresh


def save(state):
    STATE.parent.mkdir(parents=True, exist_ok=True)
    new = STATE.with_suffix(".new")
    new.write_text(json.dumps(state, indent=1))
    new.replace(STATE)


def run(part, tools, first, count):
    """One piece; the failures' text goes to standard output."""
    if part != "run in eager":
        return subprocess.run([tools / "generate_soak", str(first), str(count), "100" if part == "made of 100" else "20"]).returncode == 0
    dump = subprocess.Popen([tools / "seedgen_dump", str(first), str(count)], stdout=subprocess.PIPE)
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    checker = subprocess.run([python, HERE / "seedgen" / "check_programs.py", "--whole"], stdin=dump.stdout)
    return checker.returncode == 0 and dump.wait() == 0


def soak(tools, first=None, count=20000000):
    """Whether no piece failed."""
    first = first_seed() if first is None else first
    state = load(first, count)
    totals = {"made": count, "made of 100": max(count // 20, 1), "run in eager": max(count // 100, 1)}
    print(f"seeds from {first} on, generator version {state['version']}, {json.dumps(state['done'])} done before", flush=True)
    for part, total in totals.items():
        while (done := state["done"][part]) < total:
            piece = min(PIECE[part], total - done)
            if not run(part, tools, first + done, piece):
                state["failed"].append(f"{part}: {piece} from seed {first + done} on")
            state["done"][part] = done + piece
            save(state)
            print(f"{part}: {done + piece} of {total}", flush=True)
    for failed in state["failed"]:
        print(f"failed: {failed}")
    return not state["failed"]
