"""For each mutation of bench/planted/mutations a faulty compiler that shows in the mutant and not in its seed.

    mutations.py [--some SEED] [NAME…]        exits 1 when a seed shows the fault, or a mutant doesn't
    mutations.py --matrix [--draws N] [NAME…]
        prints which other mutations show the fault on its seed, in N steps each (3); each takes a minute or two (matrix.py)

With --some only SOME of them, others for another seed: each takes ten seconds. That a mutant of another mutation doesn't
show the fault is no promise.

The step stands in the fault's header; `jitprobe mutate` applies it. Each fault is planted in a process of its own.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLANTED = ROOT / "bench" / "planted"
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release")) / "app" / "jitprobe"
SOME = 6
sys.path.insert(0, str(PLANTED))

import matrix  # noqa: E402
import silent  # noqa: E402


def names():
    return sorted(path.name.removesuffix(".seed.py") for path in (PLANTED / "mutations").glob("*.seed.py"))


def mutant_of(seed, step):
    words = [str(JITPROBE), "mutate", str(seed), "--apply", step]
    answer = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if answer.returncode != 0:
        sys.exit(f"FAILED: {step}: {answer.stderr[-1000:]}")
    return answer.stdout


def wrong(name):
    """What is not as it should be; empty if nothing."""
    fault, seed = (PLANTED / "mutations" / f"{name}{end}.py" for end in ("", ".seed"))
    step = re.search(r"^# step: (.+)$", fault.read_text(), re.MULTILINE)[1]
    if not step.startswith(f"{name}@"):
        return f"its step is {step}"
    programs = [seed.read_text(), mutant_of(seed, step)]
    right, faulty = silent.results(fault, programs, False), silent.results(fault, programs, True)
    if len(right[0]) == 1 or (len(right[1]) == 1) != (name == "break_rule"):
        return f"without the fault the seed and the mutant give {right}"
    if right[0] != faulty[0]:
        return "the seed shows the fault"
    return "" if right[1] != faulty[1] else "the mutant doesn't show the fault"


def some(seed):
    """SOME neighbours in the order of names; days that follow each other take those that follow."""
    every = names()
    first = seed // 1000000 * SOME
    return [every[(first + i) % len(every)] for i in range(SOME)]


def main(words):
    if words[:1] == ["--matrix"]:
        return matrix.main(silent, PLANTED / "mutations", names(), words[1:])
    chosen = some(int(words[1])) if words[:1] == ["--some"] else words or names()
    found = {name: wrong(name) for name in chosen}
    for name, text in found.items():
        if text:
            print(f"FAILED: {name}: {text}")
    shown = sum(not text for text in found.values())
    print(f"{shown} of {len(found)} mutations show their fault, and their seeds don't")
    sys.exit(1 if any(found.values()) or not found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
