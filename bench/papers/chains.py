"""Chains of zero garbage on models, as MT-DLComp makes them (2022): the compiled model against the compiled mutant.

Each model gets steps of one kind, one upon another: universal zeros, zeros on this input, both. Every so many steps the
program is compiled and judged by seed_vs_mutant. Of MT-DLComp's 435 reports 271 were rounding that garbage had made
larger; here each that diverges has to be looked at, and its program stays in build/chains/. What stands there is not
made again.
"""

import json
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
KEPT = ROOT / "build" / "chains"
MODELS = ("resnet18", "vgg11", "mobilenet_v2", "transformer_encoder")
KINDS = {"universal": "zero_garbage", "input": "zero_garbage_here", "mixed": "zero_garbage,zero_garbage_here"}
LIMIT = 600


def jitprobe(*words):
    """What a command printed, as JSON, and its seconds."""
    began = time.monotonic()
    answer = subprocess.run([JITPROBE, *map(str, words)], stdout=subprocess.PIPE, text=True)
    if answer.returncode > 1 and not answer.stdout:
        raise SystemExit(f"dev: jitprobe {words[0]} {words[1]} ended with {answer.returncode}")
    return json.loads(answer.stdout), time.monotonic() - began


def mutate(file, kind, steps, seed):
    return jitprobe("mutate", file, "--random", steps, "--only", KINDS[kind], "--exactness", "rounding", "--seed", seed,
                    "--json")


def judged(file, seed, backend):
    """The verdict, and the seconds of the run that compiles the mutant."""
    answer, _ = jitprobe("run", file, "--backend", backend, "--oracle", "seed_vs_mutant", "--against", seed, "--limit",
                         LIMIT, "--json")
    compiled = [outcome["seconds"] for outcome in answer["outcomes"] if outcome["role"] == "compiled"]
    return answer["verdict"], max(compiled, default=0)


def row(model, kind, step, every, backend, start):
    """One point of a chain: its program is made from that of the point before."""
    folder = KEPT / f"{model}-{kind}-{backend}-{every}"
    folder.mkdir(parents=True, exist_ok=True)
    seed = ROOT / "corpus" / "models" / f"{model}.py"
    before, file, told = folder / f"{step - every}.py", folder / f"{step}.py", folder / f"{step}.json"
    if not told.exists():
        made, seconds = mutate(before if before.exists() else seed, kind, every, step)
        file.write_text(made["source"])
        verdict, compiled = judged(file, seed, backend)
        told.write_text(json.dumps({
            "kept": len(made["lineage"]["steps"]), "lines": made["source"].count("\n"),
            "mutating": max(0, seconds - start), "compiling": compiled, "verdict": verdict["kind"],
            "rule": verdict.get("rule", ""), "reason": verdict.get("reason", "")}))
    return json.loads(told.read_text())


def chains(figure, models, kinds, steps, every, backend):
    reports = []
    for model in models:
        _, start = mutate(ROOT / "corpus" / "models" / f"{model}.py", "mixed", 0, 0)
        for kind in kinds:
            kept = 0
            for step in range(every, steps + 1, every):
                found = row(model, kind, step, every, backend, start)
                kept += found["kept"]
                figure(f"chains/{model}/{kind}/{step}", found["compiling"], "s", kept=kept, lines=found["lines"],
                       mutating=round(found["mutating"], 2), verdict=found["verdict"],
                       rule=re.sub(r"\s+", " ", found["rule"]))
                if found["verdict"] not in ("agree", "vacuous"):
                    reports.append(f"{model}/{kind}/{step}: {found['reason']}")
    figure("chains/to be looked at", len(reports), "1", which=reports)
