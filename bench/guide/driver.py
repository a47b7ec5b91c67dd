"""./dev bench guide [--repetitions N] [--tests N] [--faults N] [--planted N] [--epoch N]

With --planted: the faulty compilers of bench/planted that aot_eager with decompositions can show, and N programs a
repetition with and without a guide, all faults at once and each alone where anything differs; what it takes to make the
programs is printed too.

Without it a model of a campaign: planted faults found with and without a guide, in equal numbers of tests.
bench/guide_model.cpp is the campaign: its faults show when a program has their trigger (an edge, an edge of one dtype, an
operator's dtype and rank, three operators in one program), so it needs no torch. Each repetition plants other faults, the
same for both.

Printed: mean and variance of the distinct faults found by each, U of Mann and Whitney for "guided finds more", and the
probability of one at least as large by chance (two-sided, normal approximation with ties).
"""

import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "planted"))

import faulty  # noqa: E402

BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
MODEL = BUILD / "bench" / "guide_model"


def mann_whitney(more, fewer):
    """U of the first sample (pairs in which it is larger, ties half), and its two-sided probability by chance."""
    u = sum((a > b) + (a == b) / 2 for a in more for b in fewer)
    n, m = len(more), len(fewer)
    ties = sum(count**3 - count for count in collections.Counter([*more, *fewer]).values())
    spread = math.sqrt(n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1))))
    if spread == 0:
        return u, 1.0
    away = max(abs(u - n * m / 2) - 0.5, 0) / spread
    return u, math.erfc(away / math.sqrt(2))


BACKEND = "aot_eager_decomp_partition"


def planted(guide, tests, seed, epoch):
    """The faults that the programs of one campaign show, and the seconds that it took to make them."""
    faults = faulty.without_inductor()
    began = time.monotonic()
    made = subprocess.run([MODEL, "programs", guide, str(tests), str(seed), str(epoch)], check=True, capture_output=True)
    seconds = time.monotonic() - began
    programs = json.loads(made.stdout)
    seen, _ = faulty.seen_in(faults, BACKEND, len(programs), lambda first, count: programs[first:first + count])
    return seen, seconds


def compare(found, settings, figure):
    for guide in ("none", "coverage"):
        figure(f"guide/{guide}/mean", statistics.mean(found[guide]), "faults", each=found[guide], **settings)
        figure(f"guide/{guide}/variance", statistics.variance(found[guide]), "faults^2", **settings)
    u, chance = mann_whitney(found["coverage"], found["none"])
    figure("guide/U", u, "pairs", of=len(found["none"]) ** 2)
    figure("guide/p", chance, "1")


def compare_planted(options, figure):
    found, spent = {"none": [], "coverage": []}, {"none": 0, "coverage": 0}
    for seed in range(1, options.repetitions + 1):
        for guide in found:
            seen, seconds = planted(guide, options.planted, seed, options.epoch)
            found[guide].append(len(seen))
            spent[guide] += seconds
            print(f"{guide} {seed}: {', '.join(sorted(seen))}", file=sys.stderr, flush=True)
    for guide, seconds in spent.items():
        figure(f"guide/{guide}/making a program", 1000 * seconds / options.repetitions / options.planted, "ms")
    compare(found, {"tests": options.planted, "epoch": options.epoch}, figure)


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench guide", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--tests", type=int, default=5000)
    parser.add_argument("--faults", type=int, default=400)
    parser.add_argument("--epoch", type=int, default=500)
    parser.add_argument("--planted", type=int, default=0, help="programs a repetition; 0: the model")
    options = parser.parse_args(words)
    if options.planted:
        compare_planted(options, figure)
        return 0
    answer = subprocess.run([MODEL, *map(str, (options.faults, options.tests, options.repetitions, 1, options.epoch))],
                            check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    compare(found, {"tests": options.tests, "faults": options.faults}, figure)
    return 0
