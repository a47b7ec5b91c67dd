"""Which other mutations show the faults of bench/planted/mutations: `mutations.py --matrix`.

Mutants of a fault's seed, one step each, are compiled with the fault off and on, like the fault's own mutant. One that
shows the fault is judged again in processes of its own, so that nothing of other mutants is left there.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINARIES = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", HERE.parent.parent / "build" / "release"))


def mutants(path, draws):
    """[(mutation, step, text)]: of each mutation that has a site in the program so many steps, without equal texts."""
    sys.path.insert(0, str(HERE.parent / "mutate"))
    import exactness
    from jitprobe_runtime.state import process as state
    from walks import Eager

    state.take_baseline()
    source = pathlib.Path(path).read_text(encoding="utf-8")
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        engine, eager = exactness.Filter(BINARIES / "tests" / "mutate" / "mutate_filter"), Eager(pathlib.Path(folder))
        watched = engine.ask(load=source)["watched"]
        sites = collections.defaultdict(list)
        for site in engine.ask(sites=eager.run(source, watched)[1])["sites"]:
            sites[site[0]].append(site)
        engine.ask(moved=eager.moved(source, watched))
        for name in sorted(sites):
            rng = random.Random(name)
            for _ in range(draws):
                site = rng.choice(sites[name])
                made = engine.ask(apply=[name, site[2], site[3]], seed=rng.getrandbits(40))
                if made["source"]:
                    found.setdefault(made["source"], (name, made["step"]))
    return [(*step, text) for text, step in found.items()]


def mutants_apart(path, draws):
    """mutants(), in a process of its own: those in which faults are planted come from one that has run no program."""
    words = [sys.executable, str(HERE / "matrix.py"), str(path), str(draws)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


def row(silent, fault, seed, draws):
    """({mutation: mutants} of the others, {mutation: [steps that show the fault]})"""
    name = fault.stem
    made = [mutant for mutant in mutants_apart(seed, draws) if mutant[0] != name]
    texts = [text for *_, text in made]
    right, faulty = silent.results(fault, texts, False), silent.results(fault, texts, True)
    shown = collections.defaultdict(list)
    for (mutation, step, text), one, other in zip(made, right, faulty):
        if one != other and silent.results(fault, [text], False) != silent.results(fault, [text], True):
            shown[mutation].append(step)
    return collections.Counter(mutation for mutation, *_ in made), shown


def main(silent, folder, every, words):
    parser = argparse.ArgumentParser(prog="mutations.py --matrix")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--draws", type=int, default=3, help="steps of each mutation")
    options = parser.parse_args(words)
    for name in options.names or every:
        tried, shown = row(silent, folder / f"{name}.py", folder / f"{name}.seed.py", options.draws)
        told = ", ".join(f"{mutation} ({len(steps)} of {tried[mutation]})" for mutation, steps in sorted(shown.items()))
        print(f"{name}: {len(shown)} of {len(tried)} other mutations show it, in {tried.total()} mutants: {told or 'none'}")
        for steps in shown.values():
            print(f"  {steps[0]}", flush=True)


if __name__ == "__main__":
    print(json.dumps(mutants(sys.argv[1], int(sys.argv[2]))))
