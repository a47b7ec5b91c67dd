"""./dev bench apfd [--only FAULT,...] [--samples N] [--folder FOLDER] [--repetitions N] [--again]

How soon an order of harvested calls shows faults: programs of `jitprobe harvest opinfo`, the faulty compilers of
bench/planted. --folder takes another harvest. A program detects a fault when `jitprobe run` says that it diverges under the fault's backend and that it
does not with the fault off. Only the programs whose text names an operator that the fault is about (OPERATORS) are run;
the others are taken as silent, since a planted fault is silent without its trigger.

    APFD = 1 - (sum over faults of the place of the first program that detects it) / (programs x faults) + 1 / (2 x programs)

Measured for each order of `jitprobe harvest order`; for random the mean of some repetitions (five), each another seed.
Faults that no program detects are named and not counted. What a fault's programs came to is kept in build/apfd/ and not
measured again while fault and programs are the same, so a run may be stopped; --again measures afresh. Prints a table
and one JSON line a figure.
"""

import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FAULTS = HERE.parent / "planted" / "faults"
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
KEPT = ROOT / "build" / "apfd"
ORDERS = ("opera", "signature", "parameter", "total", "additional", "random")

# The faults that one call of an operator can show, and the operators that they are about (operators of the manifest).
# The others need statements around a call, or several calls.
OPERATORS = {
    "alpha_of_index_add_ignored": ["index_add"],
    "cat_in_first_dtype": ["cat", "concat", "concatenate", "hstack", "vstack", "dstack", "column_stack"],
    "double_flip_dropped": ["flip", "fliplr", "flipud", "rot90"],
    "elu_alpha_ignored": ["elu"],
    "fmin_as_minimum": ["fmin"],
    "folded_constant_rounded": ["full", "full_like", "new_full", "fill"],
    "logit_eps_ignored": ["logit"],
    "max_starts_at_zero": ["max", "amax", "aminmax"],
    "nan_value_ignored": ["nan_to_num"],
    "negative_fill_lost": ["pad", "constant_pad_nd"],
    "odd_powers_cut": ["pow"],
    "repeat_as_interleave": ["repeat", "tile"],
    "roll_not_wrapped": ["roll"],
    "selected_from_the_front": ["select", "index"],
    "slope_sign_lost": ["leaky_relu"],
    "tail_of_split_lost": ["sum", "mean"],
    "trunc_as_floor_in_vectors": ["trunc", "fix"],
    "view_offset_forgotten": ["narrow", "split", "chunk", "unbind", "select", "tensor_split"],
    "xlogy_of_zero": ["xlogy"],
}


def harvested(options):
    """The folder of the programs; harvested once."""
    folder = pathlib.Path(options.folder) if options.folder else KEPT / f"opinfo-{options.samples}"
    if options.folder:
        return folder
    if not (folder / "instances.json").exists() or not json.loads((folder / "instances.json").read_text())["instances"]:
        subprocess.run([JITPROBE, "harvest", "opinfo", "--samples", str(options.samples), "--out", folder], check=True)
    return folder


def diverges(file, backend, on):
    answer = subprocess.run([JITPROBE, "run", file, "--backend", backend, "--json"], capture_output=True, text=True,
                            env=os.environ | {"PLANTED_FAULT": "1" if on else "0"}, timeout=1800)
    lines = answer.stdout.strip().splitlines()
    return bool(lines) and json.loads(lines[-1]).get("verdict", {}).get("kind") == "diverge"


def detecting(fault, folder, rows, again):
    """The files that detect a fault."""
    path = FAULTS / f"{fault}.py"
    files = [row["file"] for row in rows if row["operator"] in OPERATORS[fault]]
    told = hashlib.sha256(path.read_bytes())
    for file in files:
        told.update((folder / file).read_bytes())
    kept = KEPT / "detects" / f"{fault}.json"
    if kept.exists() and not again:
        before = json.loads(kept.read_text())
        if before["key"] == told.hexdigest():
            return before["files"], len(files)
    found = [file for file in files if diverges(folder / file, path, True) and not diverges(folder / file, path, False)]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"key": told.hexdigest(), "files": found}, indent=1))
    return found, len(files)


def ordered(folder, by, seed):
    answer = subprocess.run([JITPROBE, "harvest", "order", folder, "--by", by, "--seed", str(seed), "--json"],
                            capture_output=True, text=True, check=True)
    return [row["file"] for row in json.loads(answer.stdout)["instances"]]


def apfd(files, detects):
    """Of an order of files, for the faults that each have a file that detects them."""
    place = {file: number for number, file in enumerate(files, 1)}
    first = [min(place[file] for file in found) for found in detects]
    return 1 - sum(first) / (len(files) * len(first)) + 1 / (2 * len(files))


def parsed(words):
    parser = argparse.ArgumentParser(prog="./dev bench apfd", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=lambda text: text.split(","), default=sorted(OPERATORS))
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--folder", default="")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(words)
    for name in options.only:
        if name not in OPERATORS:
            parser.error(f"there is no fault '{name}' that one call shows: {', '.join(sorted(OPERATORS))}")
    return options


def main(words, figure):
    options = parsed(words)
    folder = harvested(options)
    rows = json.loads((folder / "instances.json").read_text())["instances"]
    detects = {}
    for fault in options.only:
        found, asked = detecting(fault, folder, rows, options.again)
        print(f"{fault}: {len(found)} of {asked} programs detect it", flush=True)
        if found:
            detects[fault] = found
    if not detects:
        print("no fault is detected")
        return 1
    print(f"\n{len(detects)} faults, {len(rows)} programs\n")
    for by in ORDERS:
        seeds = range(options.repetitions if by == "random" else 1)
        measured = [apfd(ordered(folder, by, seed), detects.values()) for seed in seeds]
        spread = f"  {min(measured):.4f} to {max(measured):.4f}" if len(measured) > 1 else ""
        print(f"{by:<11} {statistics.mean(measured):.4f}{spread}")
        figure(f"apfd/{by}", statistics.mean(measured), "1")
    return 0
