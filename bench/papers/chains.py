"""Chains of zero garbage on models, as MT-DLComp makes them (2022): the compiled model against the compiled mutant.

Each model is flattened (`jitprobe import`), so that a mutation can stand between any two of its operators, and gets steps
of one kind, one upon another: universal zeros, zeros on this input, both, and all mutations that keep the result. Each
tenth program is compiled with aot_eager, each fiftieth and the last with Inductor, and judged by seed_vs_mutant. The
steps and the judging are the executable `chain`'s, in one warm process for each chain. What stands in the folder is not
made again, so that a run that was stopped goes on. Behind a program that diverges, or that a backend refuses as it
declares, the chain goes on from the last one that agreed.

Of MT-DLComp's 435 reports 271 were rounding that garbage had made larger; here each that diverges has to be looked at.
The summary counts, by rule, the differences between compiled programs that a rule of judging settled.
"""

import collections
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
KEPT = ROOT / "build" / "chains"
# The most steps of a chain.
MODELS = {"resnet18": 1000, "transformer_encoder": 1000, "vgg11": 300, "mobilenet_v2": 300, "unet": 300,
          "vision_transformer": 300, "gru": 300}
KINDS = {"universal": "zero_garbage", "input": "zero_garbage_here", "both": "zero_garbage,zero_garbage_here",
         "all": "exact"}
BACKENDS = "aot_eager:10,inductor:50"
LIMIT = 1800


def flattened(model, folder):
    """The file of the model as straight lines."""
    file = folder / f"{model}.py"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = [BUILD / "app" / "jitprobe", "import", ROOT / "corpus" / "models" / f"{model}.py", "--out", file]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
    return file


def rows(model, kind, steps, backends, folder):
    """What `chain` found at each point of a chain, as it comes."""
    words = [BUILD / "bench" / "chain", flattened(model, folder), KINDS[kind], steps, backends,
             folder / f"{model}-{kind}", LIMIT]
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True) as running:
        yield from map(json.loads, running.stdout)
    if running.returncode != 0:
        raise SystemExit(f"dev: the chain of {model}, {kind}, ended with {running.returncode}")


def chain(figure, model, kind, steps, backends, folder):
    """One chain. The reports that have to be looked at."""
    name = f"chains/{model}/{kind}"
    kept, length, programs, settled, reports = 0, 0, collections.Counter(), collections.Counter(), []
    undone = collections.Counter()
    for row in rows(model, kind, steps, backends, folder):
        if "backend" not in row:
            kept += row["kept"]
            length = row["length"]
            undone.update(row["undone"])
            figure(f"{name}/{row['step']}", row["mutating"], "s", kept=kept, length=length, lines=row["lines"])
            continue
        verdict = "refused" if row["rule"] == "expected_refusal" else row["verdict"]
        programs[f"{row['backend']} {verdict}"] += 1
        settled.update(row["explained"])
        figure(f"{name}/{row['step']}/{row['backend']}", row["compiling"], "s", verdict=row["verdict"],
               rule=re.sub(r"\s+", " ", row["rule"]), explained=row["explained"])
        if row["verdict"] not in ("agree", "vacuous"):
            reports.append(f"{model}/{kind}/{row['step']}/{row['backend']}: {row['verdict']}: {row['reason']}")
    figure(name, kept, "1", steps=steps, length=length, programs=dict(programs), explained=dict(settled), undone=dict(undone))
    return reports


def chains(figure, models, kinds, steps, backends, folder):
    """`steps`: at most so many in each chain."""
    reports = []
    for kind in kinds:
        for model in models:
            reports += chain(figure, model, kind, min(steps, MODELS[model]), backends, pathlib.Path(folder))
    figure("chains/to be looked at", len(reports), "1", which=reports)
