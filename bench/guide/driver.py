"""./dev bench guide [--repetitions N] [--tests N] [--faults N]

Planted faults found with and without a guide, in equal numbers of tests. bench/guide_model.cpp is the campaign: its
faults show when a program has their trigger (an edge, an edge of one dtype, an operator's dtype and rank, three operators
in one program), so it needs no torch. Each repetition plants other faults, the same for both.

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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
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


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench guide", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--tests", type=int, default=5000)
    parser.add_argument("--faults", type=int, default=400)
    parser.add_argument("--epoch", type=int, default=500)
    options = parser.parse_args(words)
    answer = subprocess.run([MODEL, *map(str, (options.faults, options.tests, options.repetitions, 1, options.epoch))],
                            check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    settings = {"tests": options.tests, "faults": options.faults, "repetitions": options.repetitions}
    for guide in ("none", "coverage"):
        figure(f"guide/{guide}/mean", statistics.mean(found[guide]), "faults", **settings)
        figure(f"guide/{guide}/variance", statistics.variance(found[guide]), "faults^2", **settings)
    u, chance = mann_whitney(found["coverage"], found["none"])
    figure("guide/U", u, "pairs", of=options.repetitions**2)
    figure("guide/p", chance, "1")
    return 0
