"""./dev bench apfd [--faults real|systematic|compilers] [--only FAULT,...] [--samples N] [--folder FOLDER] [--repetitions N]
[--campaigns FOLDER] [--run BACKEND] [--again]

How soon an order of harvested calls shows faults, of programs of `jitprobe harvest opinfo` (--folder takes another
harvest): those that the installed torch has (real.py; --run aot_eager and --run inductor make or continue the campaigns that
find them, in build/apfd/real or --campaigns), some 2,600 systematic faults in ATen operators (systematic.py), or the faulty
compilers of bench/planted (detect.py, which says how it finds out without running each program under all of them; --only takes
some of them).

    APFD = 1 - (sum over faults of the place of the first program that shows it) / (programs x faults) + 1 / (2 x programs)

Measured for each order of `jitprobe harvest order`, for random the mean of some repetitions (five; of real faults 100), each
another seed; and for a greedy order that knows the faults. Of real faults intervals are printed: 95 %, faults drawn again.
Faults that no program shows are not counted. What was found is kept in build/apfd/ and not measured again while faults
and programs are the same; --again measures afresh. Prints one JSON line a figure.
"""

import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import real  # noqa: E402

ROOT = HERE.parent.parent
PLANTED = HERE.parent / "planted"
FAULTS = PLANTED / "faults"
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
KEPT = ROOT / "build" / "apfd"
VERSION = 2  # of instances.json
ORDERS = ("dispatched", "opera", "signature", "parameter", "total", "additional", "random")

# The faults that one call of an operator can show; the others need statements around a call, or several calls. detect.py
# knows which calls.
SHOWN = """alpha_of_index_add_ignored cat_in_first_dtype copy_back_to_offset_lost double_flip_dropped elu_alpha_ignored
fmin_as_minimum folded_constant_rounded live_copy_dropped logit_eps_ignored max_starts_at_zero nan_value_ignored
negative_fill_lost odd_powers_cut overlap_not_seen repeat_as_interleave roll_not_wrapped selected_from_the_front
slope_sign_lost tail_of_split_lost trunc_as_floor_in_vectors view_offset_forgotten xlogy_of_zero""".split()


def harvested(options):
    """The folder of the programs; harvested once."""
    if options.folder:
        return pathlib.Path(options.folder)
    folder = KEPT / f"opinfo-{options.samples}"
    kept = folder / "instances.json"
    told = json.loads(kept.read_text()) if kept.exists() else {}
    if not told.get("instances") or told["version"] != VERSION:
        subprocess.run([JITPROBE, "harvest", "opinfo", "--samples", str(options.samples), "--out", folder], check=True)
    return folder


def detecting(options, folder, files):
    """{fault: {"files": programs that show it}}."""
    systematic = options.faults == "systematic"
    asked = {"folder": str(folder), "files": files} | ({} if systematic else {"only": options.only})
    python = os.environ.get("JITPROBE_PYTHON") or ROOT / ".venv" / "bin" / "python"
    torch = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], capture_output=True, check=True)
    script = HERE / ("systematic.py" if systematic else "detect.py")
    told = hashlib.sha256(torch.stdout)
    for path in [HERE / "detect.py", script, PLANTED / "silent.py", *(FAULTS / f"{one}.py" for one in asked.get("only", ())),
                 *(folder / file for file in files)]:
        told.update(path.read_bytes())
    kept = KEPT / "detects" / f"{told.hexdigest()[:16]}.json"
    if options.again or not kept.exists():
        answer = subprocess.run([python, script], input=json.dumps(asked), stdout=subprocess.PIPE, text=True, check=True,
                                env=os.environ | {"PYTHONPATH": str(PLANTED)})
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(answer.stdout.splitlines()[-1])
    return json.loads(kept.read_text())


def ordered(folder, by, seed):
    answer = subprocess.run([JITPROBE, "harvest", "order", folder, "--by", by, "--seed", str(seed), "--json"],
                            capture_output=True, text=True, check=True)
    return [row["file"] for row in json.loads(answer.stdout)["instances"]]


def apfd(files, detects):
    """Of an order of files, for the faults that each have a file that shows them."""
    place = {file: number for number, file in enumerate(files, 1)}
    first = [min(place[file] for file in found) for found in detects.values()]
    return 1 - sum(first) / (len(files) * len(first)) + 1 / (2 * len(files))


def knowing(files, detects):
    """The order of one who knows the faults, and takes the program that shows most others."""
    shows = {file: set() for file in files}
    for fault, shown in detects.items():
        for file in shown:
            shows[file].add(fault)
    order, left = [], set(detects)
    while left:
        order.append(max(files, key=lambda file: len(shows[file] & left)))
        left -= shows[order[-1]]
    taken = set(order)
    return order + [file for file in files if file not in taken]


def parsed(words):
    parser = argparse.ArgumentParser(prog="./dev bench apfd", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", choices=("real", "systematic", "compilers"), default="systematic")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--folder", default="")
    parser.add_argument("--repetitions", type=int)
    parser.add_argument("--campaigns", default=str(KEPT / "real"))
    parser.add_argument("--run", choices=real.BACKENDS)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args(words)
    if options.only and options.faults != "compilers":
        parser.error("--only goes with --faults compilers")
    if options.run and options.faults != "real":
        parser.error("--run goes with --faults real")
    options.repetitions = options.repetitions or (100 if options.faults == "real" else 5)
    options.jitprobe = JITPROBE
    options.only = options.only or SHOWN
    for name in options.only:
        if name not in SHOWN:
            parser.error(f"there is no fault '{name}' that one call shows: {', '.join(SHOWN)}")
    return options


def main(words, figure):
    options = parsed(words)
    folder = harvested(options)
    if options.faults == "real":
        return real.main(options, folder, lambda by, seed: ordered(folder, by, seed), ORDERS, figure)
    files = [row["file"] for row in json.loads((folder / "instances.json").read_text())["instances"]]
    found = detecting(options, folder, files)
    detects = {fault: told["files"] for fault, told in found.items() if told["files"]}
    if not detects:
        print("no fault is shown")
        return 1
    print(f"{len(files)} programs meet {len(found)} faults and show {len(detects)}; the median of the programs that show one "
          f"is {statistics.median(len(shown) for shown in detects.values()):g}")
    values = {}
    for by in ORDERS:
        orders = [ordered(folder, by, seed) for seed in range(options.repetitions if by == "random" else 1)]
        values[by] = [apfd(one, detects) for one in orders]
    drawn = statistics.mean(values["random"])
    for by in ORDERS:
        mean, least, most = statistics.mean(values[by]), min(values[by]), max(values[by])
        spread = f"  {least:.4f} to {most:.4f}" if len(values[by]) > 1 else ""
        print(f"  {by:<11} {mean:.4f}  {mean / drawn:.3f} x random{spread}")
        figure(f"apfd/{options.faults}/{by}", mean, "1", random=drawn)
    best = apfd(knowing(files, detects), detects)
    print(f"  an order that knows the faults: {best:.4f}")
    figure(f"apfd/{options.faults}/knowing", best, "1", random=drawn)
    return 0
