"""Runs calls with one broken constraint in eager torch: each must raise, in the call that breaks it, unless only the
generator has the constraint.

Reads what breaks_dump or `seedgen_dump … --broken` prints. Exits 1 when a call was accepted though no reason is known,
when another line raised, or when fewer than --operators of a hundred operators are refused in at least two ways. With
--all prints every such call, and with --listed those of the list that eager refuses.

    breaks_dump 0 8 0 | python check_breaks.py [--all] [--listed] [--operators 95]
"""

import argparse
import collections
import faulthandler
import json
import sys
import warnings

import torch

MARK = "# breaks a constraint on purpose: "


def line_that_raised(error):
    """The number of the program's line that the error came from; 0 for none."""
    numbers = [0]
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<program>":
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return numbers[-1]


def outcome(source):
    """("refused", "accepted" or "elsewhere"; the exception's text)."""
    marked = [number for number, line in enumerate(source.splitlines(), 1) if MARK in line]
    namespace = {}
    exec(compile(source, "<program>", "exec"), namespace)
    arguments = namespace["make_inputs"]()
    try:
        namespace["program"](*arguments)
    except Exception as error:
        text = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return ("refused" if [line_that_raised(error)] == marked else "elsewhere"), text
    return "accepted", ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("--operators", type=float, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    faulthandler.enable()
    refused = collections.defaultdict(set)
    counts = collections.Counter()
    tuples = set()
    wrong, listed = [], []
    for record in map(json.loads, sys.stdin):
        call, _, marked = next(line for line in record["source"].splitlines() if MARK in line).partition("  " + MARK)
        op, way = marked.split()
        listed_as = record.get("only_ours", "")
        how, text = outcome(record["source"])
        counts[how + (" listed" if listed_as else "")] += 1
        if how == "refused" and not listed_as:
            refused[op].add(way)
            tuples.add(record.get("name", marked))
        else:
            refused[op]
        row = f"{record.get('name', marked)} seed {record['seed']}: {call.strip()}: {text or how}"
        if how == "accepted" and not listed_as or how == "elsewhere":
            wrong.append(row)
        if how == "refused" and listed_as:
            listed.append(row)
    two = sum(len(ways) >= 2 for ways in refused.values())
    share = 100 * two / max(1, len(refused))
    print(", ".join(f"{count} {how}" for how, count in sorted(counts.items())))
    print(f"{two} of {len(refused)} operators broken in at least two ways ({share:.1f} %); {len(tuples)} tuples")
    print(f"{len(wrong)} not as they should be")
    for row in wrong if options.all else wrong[:40]:
        print("  " + row)
    if options.listed:
        print(f"{len(listed)} listed as the generator's own, and refused")
        for row in listed:
            print("  " + row)
    sys.exit(1 if wrong or not refused or share < options.operators else 0)


if __name__ == "__main__":
    main()
