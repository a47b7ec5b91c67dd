"""Faults of MT-DLComp's four root causes, planted in a compiler (faults/passes.py), found in chains of 300 steps.

For each fault: the steps of the chain on a flattened model that shows it are dropped by delta debugging (`jitprobe reduce
--lineage`). A candidate need not differ in the same place or by the same kind of number: garbage that is let through
often becomes NaN, and less of it does not. The first wrong value names the operator, and the switches that leave out one
pass each name the pass. What is reduced to its end stands in the folder and is not reduced again; what is not goes on
there.
"""

import functools
import json
import os
import pathlib
import subprocess

from chains import BUILD, KINDS, flattened

HERE = pathlib.Path(__file__).resolve().parent
BACKEND = HERE / "faults" / "passes.py"
PASSES = ("dead_code", "layout", "buffers", "memory_plan")
FAULTS = {"live_relu": "dead_code", "live_mask": "dead_code", "viewed_buffer": "buffers", "short_lifetime": "memory_plan",
          "layout_in_place": "layout"}
MODELS = ("transformer_encoder", "vgg11")  # the first that shows a fault is taken
STEPS = 300


def jitprobe(*words, fault=""):
    """The last line of its standard output as JSON, or {"error": what it said}."""
    answer = subprocess.run([str(BUILD / "app" / "jitprobe"), *map(str, words)], capture_output=True, text=True,
                            env=os.environ | {"CHAIN_FAULT": fault})
    lines = answer.stdout.strip().splitlines()
    if answer.returncode > 1 or not lines:
        return {"error": answer.stderr.strip()[-500:] or f"exit {answer.returncode}"}
    return json.loads(lines[-1])


def diverges(file, fault, *words):
    answer = jitprobe("run", file, "--backend", BACKEND, "--json", *words, fault=fault)
    return answer.get("verdict", {}).get("kind") == "diverge"


def stored(model, steps, folder):
    """The chain's last program, made if need be; it is compiled nowhere but here."""
    made = folder / f"{model}-planted"
    if not (made / f"{steps}.py").exists():
        words = [BUILD / "bench" / "chain", flattened(model, folder), KINDS["both"], steps, f"eager:{steps}", made, 600]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
    return made / f"{steps}.py"


@functools.cache
def without_fault(program):
    """What the chain does under the same compiler with correct passes."""
    return "diverges" if diverges(program, "") else "agrees"


def pass_of(file, fault):
    """The passes without which the result is another one: config_vs_config asks eager which of the two is wrong."""
    return [name for name in PASSES
            if diverges(file, fault, "--oracle", "config_vs_config", "--switches", f"no_{name}")]


def found(fault, steps, time, folder):
    """What the reduction and the localisation of one fault came to."""
    told = folder / f"planted-{fault}.json"
    if told.exists():
        return json.loads(told.read_text())
    for model in MODELS:
        program = stored(model, steps, folder)
        if not diverges(program, fault):
            continue
        small = folder / f"planted-{fault}.py"
        answer = jitprobe("reduce", flattened(model, folder), "--lineage", program.with_suffix(".steps"), "--any",
                          "--only-steps", "--backend", BACKEND, "--time", time, "--out", small, "--json", fault=fault)
        if "error" in answer:
            return answer | {"model": model}
        row = {"model": model, "without": without_fault(program), "steps": steps,
               "left": len(answer["mutations"]), "mutations": answer["mutations"], "statements": answer["statements"],
               "finished": answer["finished"], "first_wrong": answer["first_wrong"], "passes": pass_of(small, fault),
               "candidates": answer["candidates"], "seconds": answer["seconds"]}
        if row["finished"]:
            told.write_text(json.dumps(row))
        return row
    return {"error": f"no chain on {', '.join(MODELS)} shows it"}


def localised(figure, steps, time, folder):
    for fault, name in FAULTS.items():
        row = found(fault, steps, time, pathlib.Path(folder))
        figure(f"planted/{fault}", row.get("left", -1), "1", **row, right=row.get("passes") == [name])
