"""Runs calls with one broken constraint in eager torch: each must raise, in the call that breaks it, unless only the
generator has the constraint.

Reads what breaks_dump or `seedgen_dump … --broken` prints. Exits 1 when a call was accepted though no reason is known, or
when another line raised. With --operators N also when of a hundred operators, those with no broken call included, fewer
than N are refused in at least two ways, fewer than BEYOND_TENSOR by more than an argument that is no tensor, or fewer than
OF_OPERANDS by an operand's dtype, rank, size, relation to others or values. With --all prints every such call, and with
--listed those of the list that eager refuses.

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
from check_complete import functions_on_page

MARK = "# breaks a constraint on purpose: "
BATCH = 500  # programs of one process
MEMORY = 6 << 30  # bytes of its addresses
LONGEST = 20  # seconds of a program
# Of a hundred operators: 89.2 and 74.0 were measured (27 November 2026, seeds 1000 and 1001).
BEYOND_TENSOR = 88
OF_OPERANDS = 73
OPERANDS = {"dtype", "rank", "size", "relation", "values"}


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


def constraint_of(way):
    return way.split(":")[0]


def shares(refused, operators):
    """Prints how many of all operators are refused, by what; returns the shares as per cent."""
    constraints = {op: {constraint_of(way) for way in refused[op]} for op in operators}
    counts = {
        "broken in at least two ways": sum(len(refused[op]) >= 2 for op in operators),
        "broken by more than an argument that is no tensor": sum(bool(constraints[op] - {"tensor"}) for op in operators),
        "broken by an operand's dtype, rank, size, relation or values": sum(bool(constraints[op] & OPERANDS) for op in operators),
    }
    for what, count in counts.items():
        print(f"{count} of {len(operators)} operators {what} ({100 * count / len(operators):.1f} %)")
    return [100 * count / len(operators) for count in counts.values()]


def print_unbroken(refused, tried, operators):
    never = [op for op in operators if not refused[op]]
    print("without a broken call:", " ".join(op for op in never if op not in tried) or "none")
    print("with such as eager accepts, which are listed:", " ".join(op for op in never if op in tried) or "none")


def print_covered(tuples):
    """Tuples of an operator, constraint with its place and way, dtype, and the words of the shape class."""
    plain = {(op, constraint_of(way), kind(dtype), *shape) for op, way, dtype, *shape in tuples}
    print(f"covered: {len(plain)} of (operator, constraint, kind of dtype, shape class); {len(tuples)} with the constraint's "
          f"place and way and the very dtype; {len({name[:2] for name in tuples})} of (operator, constraint with place and way)")


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
    tuples, tried = set(), set()
    wrong, listed = [], []
    records = [json.loads(line) for line in sys.stdin]
    for record, (how, text) in zip(records, outcomes(record["source"] for record in records)):
        call, _, marked = next(line for line in record["source"].splitlines() if MARK in line).partition("  " + MARK)
        op, way = marked.split()
        listed_as = record.get("only_ours", "")
        tried.add(op)
        counts[how + (" listed" if listed_as else "")] += 1
        if how == "refused" and not listed_as:
            refused[op].add(way)
            if "name" in record:
                tuples.add(tuple(record["name"].split()[1:]))
        row = f"{record.get('name', marked)} seed {record['seed']}: {call.strip()}: {text or how}"
        if how in ("accepted", "crashed") and not listed_as or how == "elsewhere":
            wrong.append(row)
        if how == "refused" and listed_as:
            listed.append(row)
    print(", ".join(f"{count} {how}" for how, count in sorted(counts.items())))
    operators = sorted(functions_on_page())
    measured = shares(refused, operators)
    least = [options.operators, BEYOND_TENSOR, OF_OPERANDS] if options.operators else [0, 0, 0]
    if options.operators:
        print_unbroken(refused, tried, operators)
    if tuples:
        print_covered(tuples)
    print(f"{len(wrong)} not as they should be")
    for row in wrong if options.all else wrong[:40]:
        print("  " + row)
    if options.listed:
        print(f"{len(listed)} listed as the generator's own, and refused")
        for row in listed:
            print("  " + row)
    sys.exit(1 if wrong or not tried or any(share < low for share, low in zip(measured, least)) else 0)


if __name__ == "__main__":
    main()
