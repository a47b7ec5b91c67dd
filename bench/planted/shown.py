"""shown.py BACKEND FAULT…: which faults, compiled with that backend of torch's, show in which programs (from standard
input, the JSON of `jitprobe generate --json`). Prints {"tests": programs, "shown": {fault: [programs]}}.

All are planted at once; where results differ in any bit from those with nothing broken, halves of them are, and so on
down to each alone. One that shows only together with others of another half is not found.
"""

import json
import sys

# What the faults patch: imported once here, and not in every process that has some of them.
import torch._inductor.compile_fx  # noqa: F401
import torch._inductor.decomposition  # noqa: F401

import faulty
import silent


def differing(right, wrong):
    return [number for number, (one, other) in enumerate(zip(right, wrong)) if one != other]


def shown(backend, faults, programs, right):
    """{name: numbers of programs}"""
    found = differing(right, silent.results(faulty.together(faults, backend), programs, True))
    if not found:
        return {}
    if len(faults) == 1:
        return {faults[0].name: found}
    suspects, expected = [programs[number] for number in found], [right[number] for number in found]
    half = len(faults) // 2
    parts = shown(backend, faults[:half], suspects, expected) | shown(backend, faults[half:], suspects, expected)
    return {name: [found[number] for number in numbers] for name, numbers in parts.items()}


def main(backend, *names):
    known = faulty.faults()
    faults = [known[name] for name in names]
    programs = [one["source"] for one in json.load(sys.stdin)]
    right = silent.right_results(faulty.together(faults[:1], backend), programs)
    print(json.dumps({"tests": len(programs), "shown": shown(backend, faults, programs, right)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
