"""The start-up probes of run, reduce and recheck: made once, and a torch that our worker can't work with is refused."""

import json
import os
import pathlib
import shutil
import tempfile

from common import ROOT, check, folder, jitprobe

# Shows a planted fault with any program, and needs no compiler of torch's.
BACKEND = ROOT / "tests" / "campaign" / "backends" / "prints.py"
PROGRAM = """import torch

def make_inputs():
    return (torch.arange(6.0),)

def program(x):
    return x + 1
"""
# A bug's file that says at once that it is still there.
BUG = """# A sentence.
# link: unreported
# pattern: kind=state_after; frame=state
# state: open
raise SystemExit(1)
"""


def kept(cache):
    return {path.name: path.stat().st_mtime_ns for path in (cache / "probes").glob("*")}


def once(work):
    cache = work / "cache"
    file = work / "program.py"
    file.write_text(PROGRAM)
    environment = {"JITPROBE_CACHE": str(cache)}
    for _ in range(2):
        answer = jitprobe("run", file, "--backend", BACKEND, env=environment)
        check(answer.returncode == 1, f"run: {answer.returncode} {answer.stderr}")
    first = kept(cache)
    check(len(first) == 1, f"kept: {first}")
    answer = jitprobe("reduce", file, "--backend", BACKEND, "--time", "60s", env=environment)
    check(answer.returncode in (0, 1) and kept(cache) == first, f"probed again: {answer.stderr} {kept(cache)}")
    return file


def of_files(work):
    """recheck runs files in any interpreter: also in one whose torch compiles nothing, where all would seem gone."""
    environment = {"JITPROBE_CACHE": str(work / "cache")}
    corpus = work / "corpus"
    (corpus / "known").mkdir(parents=True)
    (corpus / "trophies").mkdir()
    (corpus / "trophies" / "one.py").write_text(BUG)
    before = kept(work / "cache")
    for _ in range(2):
        answer = jitprobe("recheck", "--corpus", corpus, env=environment)
        check(answer.returncode in (0, 1), f"recheck: {answer.returncode} {answer.stderr}")
        check(len(kept(work / "cache")) == len(before) + 1, "probed again, or not at all")
    idle = work / "bin" / "python"
    idle.parent.mkdir()
    idle.write_text(f"#!/bin/sh\nTORCHDYNAMO_DISABLE=1 exec {python()} \"$@\"\n")
    idle.chmod(0o755)
    answer = jitprobe("recheck", "--corpus", corpus, "--python", idle, env=environment)
    sentence = answer.stderr.strip()
    check(answer.returncode == 2 and "torch.compile" in sentence and "\n" not in sentence,
          f"{answer.returncode} {sentence} {answer.stdout}")


def changed(work, name, text, another):
    """The variables for a root whose runtime has another text in the one place of this file where the text stands."""
    root = pathlib.Path(tempfile.mkdtemp(dir=work))
    shutil.copytree(ROOT / "pyrunner", root / "pyrunner")
    file = root / "pyrunner" / "runtime" / name
    before = file.read_text()
    check(before.count(text) == 1, f"{name} has no '{text}' any more")
    file.write_text(before.replace(text, another))
    return {"JITPROBE_CACHE": str(work / "cache"), "JITPROBE_ROOT": str(root), "JITPROBE_PYTHON": python()}


def refused(work, file):
    """A root whose runtime needs a name that this torch lacks."""
    environment = changed(work, "observe/modes.py", "torch.is_anomaly_enabled()", "torch._gone_anomaly()")
    before = kept(work / "cache")
    for command in ("run", "reduce"):
        answer = jitprobe(command, file, "--backend", BACKEND, env=environment)
        sentence = answer.stderr.strip()
        check(answer.returncode == 2 and "_gone_anomaly" in sentence, f"{command}: {answer.returncode} {sentence}")
        check("\n" not in sentence, f"more than one sentence: {sentence}")
    check(kept(work / "cache") == before, "a failure was kept as passed")


def told(work):
    """doctor says which private names are missing and what is lost, and all the rest is seen as before."""
    environment = changed(work, "compat/compiler.py", "compile_utils.fx_graph_cse", "compile_utils.gone_cse")
    answer = jitprobe("doctor", "--backend", "eager", env=environment)
    check(answer.returncode == 0, f"doctor: {answer.returncode} {answer.stdout} {answer.stderr}")
    lines = [line for line in answer.stdout.splitlines() if line.startswith("missing ")]
    check("missing     torch._functorch.compile_utils.gone_cse: the graph pass cse is not offered" in lines, answer.stdout)
    answer = jitprobe("doctor", "--backend", "eager", "--json", env=environment)
    facts = json.loads(answer.stdout)
    check([lack["name"] for lack in facts["missing_names"]].count("torch._functorch.compile_utils.gone_cse") == 1 and facts["sees_everything"]
          and facts["private_names"] > len(facts["missing_names"]) == len(lines), answer.stdout)


# File of the runtime, its text, what stands there in its place; a backend, and its probe that then must not pass.
BLIND = [
    ("observe/elements.py", "return ctypes.string_at(plain.data_ptr(), size)", "return bytes(size)", "aot_eager", "mismatch"),
    ("compilers/dynamo.py", "return limits, breaks", "return limits, {}", "aot_eager", "graph break"),
    ("failures.py", '"while_compiling": compiling,', '"while_compiling": False,', "inductor", "planted compile_error"),
    ("serve.py", "faulthandler.register(signal.SIGUSR1, file=stack_descriptor, all_threads=True, chain=False)",
     "signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "aot_eager", "hang"),
]


def blinded(work):
    """Whatever part of the runtime sees nothing any more, the self-test says so."""
    for name, sees, blind, backend, probe in BLIND:
        answer = jitprobe("doctor", "--backend", backend, "--json", env=changed(work, name, sees, blind))
        facts = json.loads(answer.stdout)
        unseen = {one["name"] for one in facts["probes"] if not one["seen"]}
        check(answer.returncode == 1 and not facts["sees_everything"] and probe in unseen and "signal" not in unseen,
              f"{name}: not detected {unseen}")


def python():
    return os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))


if __name__ == "__main__":
    with folder() as name:
        work_folder = pathlib.Path(name)
        refused(work_folder, once(work_folder))
        of_files(work_folder)
        told(work_folder)
        blinded(work_folder)
