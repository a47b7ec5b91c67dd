"""Chains of zero garbage on models, as MT-DLComp makes them (2022): the compiled model against the compiled mutant.

Each model gets steps of one kind, one upon another: universal zeros, zeros on this input, both. Every so many steps the
program is compiled and judged by seed_vs_mutant. Of MT-DLComp's 435 reports 271 were rounding that garbage had made
larger; here each that diverges has to be looked at, and its program stays in build/chains/. What stands there is not
made again. The steps and the judging are the executable `chain`'s, in one warm process for each chain.
"""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
KEPT = ROOT / "build" / "chains"
MODELS = ("resnet18", "vgg11", "mobilenet_v2", "transformer_encoder")
KINDS = {"universal": "zero_garbage", "input": "zero_garbage_here", "mixed": "zero_garbage,zero_garbage_here"}
LIMIT = 600


def rows(model, kind, steps, every, backend):
    """What `chain` found at each point of a chain, as it comes."""
    words = [BUILD / "bench" / "chain", ROOT / "corpus" / "models" / f"{model}.py", KINDS[kind], steps, every, backend,
             KEPT / f"{model}-{kind}-{backend}-{every}", LIMIT]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True) as running:
        yield from map(json.loads, running.stdout)
    if running.returncode != 0:
        raise SystemExit(f"dev: the chain of {model}, {kind}, ended with {running.returncode}")


def chains(figure, models, kinds, steps, every, backend):
    reports = []
    for model in models:
        for kind in kinds:
            kept = 0
            for found in rows(model, kind, steps, every, backend):
                kept += found["kept"]
                figure(f"chains/{model}/{kind}/{found['step']}", found["compiling"], "s", kept=kept,
                       lines=found["lines"], mutating=round(found["mutating"], 2), verdict=found["verdict"],
                       rule=re.sub(r"\s+", " ", found["rule"]))
                if found["verdict"] not in ("agree", "vacuous"):
                    reports.append(f"{model}/{kind}/{found['step']}: {found['reason']}")
    figure("chains/to be looked at", len(reports), "1", which=reports)
