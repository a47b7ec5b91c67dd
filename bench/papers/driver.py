"""./dev bench papers [--graphs N] [--parts tables,chains,planted] [--steps N] [--models NAME,…]
    [--kinds NAME,…] [--backends NAME:EVERY,…] [--folder DIR]

chains: chains.py. planted: localised.py. tables: Isra's two tables (2023) with ours beside them, under its settings: 10,000 graphs; 1 to 200
operators, and 100 of them; float32 arguments; rank and sizes at most 5; reuse rates from 0.5 to 0.99; the operators that
both have (operators.py); at its own rate without a guide and with `--guide paths`. One JSON line a figure, with Isra's as
`isra` where its paper prints one, and how many are lower than Isra's.

Each metric is what `jitprobe generate --metrics` says, defined in docs/metrics.md. Isra ran on another machine, so
its seconds only say how large its effort is.
"""

import argparse
import json
import os
import pathlib
import subprocess
import time

from chains import BACKENDS, KEPT, KINDS, MODELS, chains
from localised import STEPS, localised
from operators import SHARED

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"

# Its Table I, sizes 1 to 200; its Table II, 100 operators, by reuse rate (which it calls picking rate).
VARIED = {"seconds": 320, "OTC": 1.0, "IDC": 0.9295, "ODC": 11.85, "SEC": 0.9827, "DEC": 0.9021, "SAC": 3001.9,
          "NOO": 100.88, "NOT": 45.24, "NOP": 103.76, "NTR": 102.91, "NSA": 26.63}
FIXED = {0.5: {"NOP": 51.07, "NSA": 62.86}, 0.8: {}, 0.9: {}, 0.97: {"NOP": 102.56, "NTR": 98.77, "NSA": 27.77},
         0.99: {"NOP": 104.94, "NSA": 25.93}}
METRICS = ("OTC", "IDC", "ODC", "SEC", "DEC", "SAC", "NOO", "NOT", "NOP", "NTR", "NSA")
OWN_RATE = 0.97
GUIDES = ("none", "paths")


def measure(graphs, sizes, rate, guide="none"):
    """The metrics by name, and the seconds that it took to make and measure the graphs. The tensors of ONNX's operators
    are floats, so arguments are, where an operator takes floats."""
    words = ["generate", "--seed", "1", "--count", str(graphs), "--ops", sizes, "--reuse-rate", str(rate), "--max-rank",
             "5", "--sizes", "1:5", "--dtypes", "float32", "--operators", ",".join(sorted(SHARED.values())), "--metrics",
             "--json", "--guide", guide]
    began = time.monotonic()
    answer = subprocess.run([JITPROBE, *words], check=True, capture_output=True, text=True)
    return json.loads(answer.stdout) | {"seconds": time.monotonic() - began}


def show(figure, name, ours, isra):
    """Prints one table; gives the names of the metrics that are lower than Isra's."""
    lower = []
    for metric in (*METRICS, "seconds"):
        more = {"isra": isra[metric]} if metric in isra else {}
        figure(f"papers/{name}/{metric}", ours[metric], "s" if metric == "seconds" else "1", **more)
        # Sizes are drawn: their mean comes out as it comes out.
        if metric in isra and metric not in ("seconds", "NOO") and ours[metric] < isra[metric]:
            lower.append(metric)
    return lower


def tables(figure, graphs):
    for rate, isra in FIXED.items():
        if rate != OWN_RATE:
            show(figure, f"100 operators, reuse {rate}", measure(graphs, "100", rate), isra)
    for guide in GUIDES:
        lower = []
        for sizes, isra in (("1:200", VARIED), ("100", FIXED[OWN_RATE])):
            name = f"{sizes.replace(':', '..')} operators, reuse {OWN_RATE}, guide {guide}"
            below = show(figure, name, measure(graphs, sizes, OWN_RATE, guide), isra)
            lower += [f"{sizes} {metric}" for metric in below]
        figure(f"papers/guide {guide}, lower than Isra's", len(lower), "1", which=lower)


def names_of(known):
    def read(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no '{name}': {', '.join(known)}")
        return names

    return read


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench papers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=int, default=10000)
    parser.add_argument("--parts", type=names_of(("tables", "chains", "planted")),
                        default=["tables", "chains", "planted"])
    parser.add_argument("--steps", type=int, default=1000, help="of a chain, at most; some models have fewer")
    parser.add_argument("--models", type=names_of(MODELS), default=list(MODELS))
    parser.add_argument("--kinds", type=names_of(KINDS), default=list(KINDS))
    parser.add_argument("--backends", default=BACKENDS, help="with the steps between two programs that each compiles")
    parser.add_argument("--folder", default=KEPT, help="where chains are stored, and go on from")
    parser.add_argument("--time", default="30m", help="for the reduction of one planted fault")
    options = parser.parse_args(words)
    if "tables" in options.parts:
        tables(figure, options.graphs)
    if "chains" in options.parts:
        chains(figure, options.models, options.kinds, options.steps, options.backends, options.folder)
    if "planted" in options.parts:
        localised(figure, min(options.steps, STEPS), options.time, options.folder)
    return 0
