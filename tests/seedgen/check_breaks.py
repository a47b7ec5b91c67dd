"""Runs calls with one broken constraint in eager torch: each must raise, in the call that breaks it, unless only the
generator has the constraint.

Reads what breaks_dump or `seedgen_dump … --broken` prints. Exits 1 when a call was accepted though no reason is known,
when another line raised, or when fewer than --operators of a hundred operators are refused in at least two ways. With
--all prints every such call, and with --listed those of the list that eager refuses.

    breaks_dump 0 8 0 | python check_breaks.py [--all] [--listed] [--operators 95]
"""

import argparse
import collections
import json
import os
import resource
import signal
import sys
import warnings

import torch

MARK = "# breaks a constraint on purpose: "
BATCH = 500  # programs of one process
MEMORY = 6 << 30  # bytes of its addresses
LONGEST = 20  # seconds of a program


def line_that_raised(error):
    """The number of the program's line that the error came from; 0 for none."""
    numbers = [0]
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<program>":
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return numbers[-1]


def kind(dtype):
    return next(name for name in ("bool", "int", "float", "complex") if name in dtype)


def unpacks(error):
    """Whether the program itself failed to unpack a number of results."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    own = trace.tb_frame.f_code.co_filename == "<program>"
    return own and isinstance(error, ValueError) and "values to unpack" in str(error)


def outcome(source):
    """("refused", "accepted" or "elsewhere"; the exception's text). Torch has accepted a call that gives another number
    of results, which the program then can't unpack."""
    marked = [number for number, line in enumerate(source.splitlines(), 1) if MARK in line]
    namespace = {}
    exec(compile(source, "<program>", "exec"), namespace)
    try:
        arguments = namespace["make_inputs"]()
    except Exception as error:
        return "elsewhere", f"make_inputs: {error}"
    try:
        namespace["program"](*arguments)
    except Exception as error:
        if unpacks(error):
            return "accepted", "another number of results"
        if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
            return "accepted", "more memory than there is"
        text = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        return ("refused" if [line_that_raised(error)] == marked else "elsewhere"), text
    return "accepted", ""


def answer(sources, pipe):
    """In a child process: a line of JSON for each program."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with open(pipe, "w", buffering=1) as lines:
        for source in sources:
            signal.alarm(LONGEST)
            print(json.dumps(outcome(source)), file=lines)


def outcomes(sources):
    """outcome() of each program, in child processes; ("crashed", "") of one that eager died of, or that
    takes too long."""
    sources = list(sources)
    done = 0
    while done < len(sources):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            try:
                answer(sources[done : done + BATCH], write)
            finally:
                os._exit(0)
        os.close(write)
        with open(read) as lines:
            told = [tuple(json.loads(line)) for line in lines if line.endswith("\n")]
        os.waitpid(child, 0)
        yield from told
        done += len(told)
        if len(told) < BATCH and done < len(sources):
            yield "crashed", ""
            done += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("--operators", type=float, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    refused = collections.defaultdict(set)
    counts = collections.Counter()
    tuples = set()
    wrong, listed = [], []
    records = [json.loads(line) for line in sys.stdin]
    for record, (how, text) in zip(records, outcomes(record["source"] for record in records)):
        call, _, marked = next(line for line in record["source"].splitlines() if MARK in line).partition("  " + MARK)
        op, way = marked.split()
        listed_as = record.get("only_ours", "")
        counts[how + (" listed" if listed_as else "")] += 1
        if how == "refused" and not listed_as:
            refused[op].add(way)
            if "name" in record:
                tuples.add(tuple(record["name"].split()[1:]))
        else:
            refused[op]
        row = f"{record.get('name', marked)} seed {record['seed']}: {call.strip()}: {text or how}"
        if how in ("accepted", "crashed") and not listed_as or how == "elsewhere":
            wrong.append(row)
        if how == "refused" and listed_as:
            listed.append(row)
    two = sum(len(ways) >= 2 for ways in refused.values())
    share = 100 * two / max(1, len(refused))
    print(", ".join(f"{count} {how}" for how, count in sorted(counts.items())))
    print(f"{two} of {len(refused)} operators broken in at least two ways ({share:.1f} %)")
    print(f"covered: {len({name[:2] for name in tuples})} of (operator, constraint with its place and way), {len(tuples)} "
          f"with dtype and shape class, {len({(*name[:2], kind(name[2]), *name[3:]) for name in tuples})} with four kinds of dtypes")
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
