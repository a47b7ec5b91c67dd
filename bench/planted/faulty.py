"""The faulty compilers of faults/, and jitprobe on them."""

import hashlib
import json
import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
KEPT = ROOT / "build" / "planted"


class Fault:
    """A file of faults/ and what its header says."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.source = path.read_text()
        self.trigger = (HERE / "triggers" / path.name).read_text()
        header = dict(re.findall(r"^# (\w+): (.+)$", self.source, re.MULTILINE))
        self.shows = header["shows"]
        self.classes = header["class"].split(" or ")
        self.flags = header.get("flags", "").split()
        self.backend = re.search(r'torch\.compile\(fn, backend="(\w+)"', self.source)[1]

    def alone(self):
        """Whether nothing in the trigger keeps another one from standing beside it."""
        return not self.flags and not re.search(r"^(def before_call|def observe|COMPILE_OPTIONS)", self.trigger, re.M)


def faults():
    found = [Fault(path) for path in sorted((HERE / "faults").glob("*.py"))]
    return {fault.name: fault for fault in found}


def jitprobe(*words, fault=True, timeout=1800):
    """The last line of its standard output as JSON, or {"error": what it said}."""
    answer = subprocess.run([str(JITPROBE), *map(str, words)], capture_output=True, text=True, timeout=timeout,
                            env=os.environ | {"PLANTED_FAULT": "1" if fault else "0", "JITPROBE_READABLE": str(HERE)})
    lines = answer.stdout.strip().splitlines()
    if answer.returncode > 1 or not lines:
        return {"error": answer.stderr.strip()[-500:] or f"exit {answer.returncode}"}
    return json.loads(lines[-1])


def without_inductor():
    """The faults that aot_eager with decompositions can show by values."""
    return [fault for fault in faults().values() if fault.backend != "inductor" and "cost" not in fault.flags]


def shown(faults, backend, programs):
    """The names of those faults that some of the programs show (`programs`: the bytes of `jitprobe generate --json`);
    None when one of them takes the whole process down."""
    python = os.environ.get("JITPROBE_PYTHON") or ROOT / ".venv" / "bin" / "python"
    answer = subprocess.run([python, HERE / "shown.py", backend, *(fault.name for fault in faults)], input=programs,
                            capture_output=True)
    return set(json.loads(answer.stdout.splitlines()[-1])["shown"]) if answer.returncode == 0 else None


FIRST = 5  # programs; each batch is twice as large as the one before
MOST = 50


def seen_in(faults, backend, count, take):
    """The names of those faults that some of `count` programs show, and how many programs took their process down;
    `take(first, count)` gives some of them. A fault that was seen is not planted again: what is asked is which of them
    show at all. Those that show in most programs are out of the way after the first, small batch."""
    seen, lost, first, size = set(), 0, 0, FIRST
    while first < count:
        programs = take(first, min(size, count - first))
        left = [fault for fault in faults if fault.name not in seen]
        found = shown(left, backend, json.dumps(programs).encode()) if left else set()
        lost += len(programs) if found is None else 0
        seen |= found or set()
        first, size = first + len(programs), min(2 * size, MOST)
    return seen, lost


def together(faults, backend=None):
    """A backend file with several faults, compiling as the first does or with `backend`."""
    told = hashlib.sha256("+".join([backend or "", *(one.name for one in faults)]).encode()).hexdigest()[:12]
    names = "+".join(one.name for one in faults) if len(faults) < 3 else f"{len(faults)}-{told}"
    file = KEPT / "backends" / f"{names}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    compiled = f'torch.compile(fn, backend="{backend}", **options)' if backend else "_faults[0].compile(fn, **options)"
    file.write_text(f'''"""Several faults."""

import importlib.util
import os

import torch


def _load(path):
    spec = importlib.util.spec_from_file_location("planted_" + path.rpartition("/")[2][:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_faults = [_load(path) for path in {[str(one.path) for one in faults]!r}]


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        for fault in _faults:
            fault.plant()
    return {compiled}
''')
    return file
