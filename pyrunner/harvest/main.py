"""python main.py opinfo|run OPTIONS…: what `jitprobe harvest` runs, in the Python whose torch is under test.

Exit 0: programs were written; 2: bad use, or there was nothing to harvest, with one sentence; 128 + N: signal N ended it.
"""

import argparse
import json
import os
import pathlib
import signal
import sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)
os.environ.setdefault("OMP_NUM_THREADS", "1")


def parsed(words):
    parser = argparse.ArgumentParser(prog="harvest")
    kinds = parser.add_subparsers(dest="source", required=True)
    opinfo = kinds.add_parser("opinfo")
    opinfo.add_argument("--only", action="append", default=[])
    opinfo.add_argument("--dtypes", type=lambda text: [one for one in text.split(",") if one], default=[])
    run = kinds.add_parser("run")
    run.add_argument("command", nargs="+")
    for kind in (opinfo, run):
        kind.add_argument("--out", required=True)
        kind.add_argument("--samples", type=int, required=True)
        kind.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def note(text):
    print(f"harvest: {text}", file=sys.stderr, flush=True)


def print_opinfo(told):
    print(f"{told['valid']} of {told['entries']} entries of torch {told['torch']}'s operator database: "
          f"{told['programs']} programs of {told['operators']} operators in {told['folder']}, {told['seconds']} s")
    reasons = {}
    for row in told["left_out"]:
        reasons.setdefault(row["reason"], []).append(row["operator"])
    for reason, operators in sorted(reasons.items(), key=lambda one: (-len(one[1]), one[0])):
        shown = ", ".join(operators[:6]) + (", …" if len(operators) > 6 else "")
        print(f"{len(operators):5}  {reason}: {shown}")


def print_run(told):
    print(f"{told['programs']} programs of {told['operators']} operators in {told['folder']}: {told['calls']} calls "
          f"recorded in {told['seconds']} s, {told['different']} of them different")
    for reason, count in told["reasons"][:15]:
        print(f"{count:5}  {reason}")


def main(words):
    options = parsed(words)
    import torch

    from harvest import signals
    from harvest.manifest import BadUse

    signals.end_in_order()
    torch.set_num_threads(1)
    try:
        if options.source == "opinfo":
            from harvest import opinfo as source
        else:
            from harvest import run as source
        told = source.harvest(options, note)
    except BadUse as wrong:
        print(f"jitprobe: {wrong}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    if options.json:
        print(json.dumps(told))
    else:
        (print_opinfo if options.source == "opinfo" else print_run)(told)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
