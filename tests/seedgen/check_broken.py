"""Runs programs with one broken rule in eager torch: each must raise, and in the call that breaks the rule.

Reads JSON lines {"seed", "source"} (seedgen_dump FIRST COUNT OPERATORS --broken) from standard input. Every rule that
came is counted; exits 1 when a program was accepted, or raised elsewhere.

    seedgen_dump 0 3000 6 --broken | python check_broken.py
"""

import collections
import json
import sys
import warnings

import torch

MARK = "# breaks a rule on purpose: "


def line_that_raised(error):
    """The number of the program's line that the error came from."""
    trace = error.__traceback__
    numbers = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<program>":
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return numbers[-1]


def judge(source):
    """What is wrong with the program, or nothing."""
    marked = [number for number, line in enumerate(source.splitlines(), 1) if MARK in line]
    if len(marked) != 1:
        return f"{len(marked)} lines are marked"
    namespace = {}
    exec(compile(source, "<program>", "exec"), namespace)
    arguments = namespace["make_inputs"]()
    try:
        namespace["program"](*arguments)
    except Exception as error:
        line = line_that_raised(error)
        return None if line == marked[0] else f"line {line} raised: {error}"
    return "accepted"


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    programs = collections.Counter()
    wrong = []
    for record in map(json.loads, sys.stdin):
        line = next(line for line in record["source"].splitlines() if MARK in line)
        programs[line.split(MARK)[1]] += 1
        if complaint := judge(record["source"]):
            wrong.append(f"seed {record['seed']}: {line.strip()}: {complaint}")
    print(f"{programs.total()} programs, {len(programs)} rules broken, {len(wrong)} not as they should be")
    for line in wrong[:40]:
        print("  " + line)
    sys.exit(1 if wrong or not programs else 0)


if __name__ == "__main__":
    main()
