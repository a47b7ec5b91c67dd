"""The promises of mutations, over the whole registry and over programs of every kind: generated ones, cells of tables,
models of corpus/models, and functions of the standard library and of torch as they are installed (functions.py).

An application holds when its result parses, replays byte for byte from its lineage, and does in eager what its exactness
declares (exactness.py), which outputs and inputs are one tensor included. One that does not is undone and counted.

    properties.py MUTATE_FILTER --seedgen SEEDGEN_DUMP --tables TABLE_DUMP [--applications N] [--seed N] [--only MUTATION,...]
        random applications, a few steps a program. Exits 1 when less than 99.5 % of all hold, or of the exact ones, or less
        than 98 % of one mutation's, when more than 1 % of the exact ones make a program that ran in float64 (the oracle's
        witness of what rounding is) raise there, when a subsequence of a lineage does not replay to a program (of exact
        steps: to one with the same effect), when two mutations give the same texts, or when one has no place in 1 % of the
        programs of any kind
    properties.py MUTATE_FILTER --chain STEPS [--sources FILE...] [--programs N] ...
        long chains, every second one of exact steps alone: still valid and exact, the whole lineage replays, memory and time grow no faster than the program
"""

import argparse
import collections
import difflib
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import exactness  # noqa: E402
import functions  # noqa: E402
from jitprobe_runtime.state import process as state  # noqa: E402
from walks import Eager, Walk, holds  # noqa: E402

ALL = 0.995
EACH = 0.98
BLINDED = 0.01
SPREAD = 0.01
FEWEST_TEXTS = 10
STEPS = 5
SUBSEQUENCES = 10
FUNCTIONS = 200


class Tally:
    def __init__(self, show):
        self.show_texts = show
        self.counts = collections.defaultdict(collections.Counter)
        self.kind = {}
        self.broken = 0
        self.subsequences = collections.Counter()

    def tried(self, mutation, kind):
        self.counts[mutation]["tried"] += 1
        self.kind[mutation] = kind

    def applied(self, mutation, wrong):
        self.counts[mutation]["applied"] += 1
        if wrong:
            self.counts[mutation][wrong] += 1

    def blinded(self, walk, step, site):
        """A program that ran in float64 does no more."""
        if site[1] != "variation":
            self.counts[site[0]]["blinded"] += 1
            print(f"not in float64: {walk.name} {step}", flush=True)

    def broke(self, what, walk, mutation, where):
        self.broken += 1
        print(f"{what}: {walk.name} {mutation} {where}", flush=True)

    def subsequence(self, wrong, walk, chosen, seen):
        self.subsequences["all"] += 1
        if wrong:
            self.subsequences["wrong"] += 1
            print(f"a subsequence is {wrong}: {walk.name} {chosen}", flush=True)
            print(self.what(wrong, walk.first, seen), flush=True)

    def show(self, wrong, walk, made, seen):
        print(f"{wrong}: {walk.name} {made['step']} {self.what(wrong, walk.seen, seen)}", flush=True)
        if self.show_texts:
            lines = difflib.unified_diff(walk.source.splitlines(True), made["source"].splitlines(True))
            print("".join(lines))

    @staticmethod
    def what(wrong, before, seen):
        """What is wrong with a program that shows this, in 300 characters."""
        text = seen.get("raised") or exactness.difference(before, seen)
        if wrong == "invalid" and "calls" in seen:
            text = [call.get("exception", {}).get("message", "") for call in seen["calls"] if call.get("exception")]
        return str(text)[:300]

    def total(self):
        return sum(counts["applied"] for counts in self.counts.values())

    def finish(self):
        """Prints the shares; whether they are good enough."""
        good = not self.broken
        every, exact = collections.Counter(), collections.Counter()
        for name, counts in sorted(self.counts.items()):
            wrong = counts["invalid"] + counts["inexact"]
            share = 1 - wrong / counts["applied"] if counts["applied"] else 0.0
            # One failure among few is no share.
            few = counts["applied"] < EACH * counts["tried"] - 1
            bad = not counts["applied"] or share < EACH and wrong > 1 or few
            good = good and not bad
            every.update(applied=counts["applied"], wrong=wrong)
            if self.kind[name] != "variation":
                exact.update(applied=counts["applied"], wrong=wrong)
            print(f"{name:24} {self.kind[name]:9} tried {counts['tried']:5} applied {counts['applied']:5} invalid "
                  f"{counts['invalid']:3} inexact {counts['inexact']:3} blinded "
                  f"{counts['blinded']:3} holds {share:.4f}{'  BAD' if bad else ''}")
        for what, counts in (("all mutations", every), ("exact mutations", exact)):
            print(f"{what}: {counts['applied']} applied, {1 - counts['wrong'] / max(counts['applied'], 1):.4f} hold")
        print(f"subsequences of exact steps: {self.subsequences['all']}, {self.subsequences['wrong']} without the same effect")
        blinded = sum(counts["blinded"] for counts in self.counts.values())
        print(f"programs that ran in float64 and do no more: {blinded}")
        good = good and blinded <= max(2, exact["applied"] * BLINDED)
        good = good and enough(every) and enough(exact)
        return good and self.subsequences["wrong"] <= self.subsequences["all"] * 0.02


def enough(counts):
    """Whether so many of all hold; of few one more may fail than the share says."""
    few = counts["applied"] < 2000 and counts["wrong"] <= max(1, counts["applied"] * 0.01)
    return few or counts["wrong"] <= counts["applied"] * (1 - ALL)


class Census:
    """Which mutations find places in which kinds of programs, and which give the same texts."""

    def __init__(self):
        self.programs = collections.Counter()
        self.found = collections.defaultdict(collections.Counter)
        self.texts = collections.Counter()
        self.shared = collections.Counter()

    def look(self, kind, walk, compare):
        self.programs[kind] += 1
        ids = {site[0] for site in walk.sites}
        for mutation in ids:
            self.found[mutation][kind] += 1
        if compare:
            self.compare(walk)

    def compare(self, walk):
        """Applies each mutation a few times at the same statements."""
        statements = sorted({site[2] for site in walk.sites})
        statements = set(walk.rng.sample(statements, min(2, len(statements))))
        made = collections.defaultdict(set)
        for site in walk.sites:
            if site[2] in statements:
                for seed in range(2):
                    source = walk.apply(site, seed, False)["source"]
                    if source is not None:
                        made[site[0]].add(source)
        for mutation, texts in made.items():
            self.texts[mutation] += len(texts)
        for one, other in itertools.combinations(sorted(made), 2):
            self.shared[one, other] += len(made[one] & made[other])

    def finish(self, only):
        good = True
        for mutation, by_kind in sorted(self.found.items()):
            shares = {kind: by_kind[kind] / self.programs[kind] for kind in self.programs}
            bad = max(shares.values()) < SPREAD
            good = good and not bad
            print(f"{mutation:24} has places in", ", ".join(f"{share:.0%} of {kind}" for kind, share in sorted(shares.items())),
                  "BAD" if bad else "")
        for (one, other), count in sorted(self.shared.items()):
            fewer = min(self.texts[one], self.texts[other])
            if count:
                print(f"{one} and {other} share {count} texts of {fewer}")
            good = good and (count <= fewer / 2 or fewer < FEWEST_TEXTS)
        return good


def dumped(command):
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return [(f"{pathlib.Path(command[0]).name} {number}", json.loads(line)["source"]) for number, line in enumerate(lines)]


def programs(options, eager):
    """{kind: [(name, source)]}"""
    share = max(options.applications // (4 * STEPS), 8)
    models = sorted((HERE.parent.parent / "corpus" / "models").glob("*.py"))
    found = {
        "generated": dumped([options.seedgen, str(1000 * options.seed), str(min(share, 2000)), "12"]),
        "tables": dumped([options.tables, str(max(share // 9, 1))]),
        "models": [(path.name, path.read_text(encoding="utf-8")) for path in models],
        "functions": functions.collect(max(FUNCTIONS, min(share, 600)), options.seed, eager.steady),
    }
    for kind in found:
        random.Random(f"{options.seed} {kind}").shuffle(found[kind])
    return found


def walk_all(options, engine, eager):
    tally, census = Tally(options.show), Census()
    begin = time.time()
    found = programs(options, eager)
    print(", ".join(f"{len(some)} {kind}" for kind, some in found.items()), f"in {time.time() - begin:.1f} s", flush=True)
    # Models are few and slow: one of them for four of each other kind.
    turns = [kind for kind in ("generated", "tables", "functions") for _ in range(4)] + ["models"]
    number = dict.fromkeys(found, 0)
    for turn in itertools.count():
        left = tally.total() < options.applications
        unseen = {kind for kind in ("functions",) if number[kind] < len(found[kind])}
        if not left and not unseen:
            break
        kind = turns[turn % len(turns)] if left else sorted(unseen)[0]
        name, source = found[kind][number[kind] % len(found[kind])]
        rng = random.Random(f"{options.seed} {kind} {number[kind]}")
        number[kind] += 1
        walk = Walk(engine, eager, name, source, rng, options.only)
        if "raised" in walk.first:
            continue
        census.look(kind, walk, number[kind] % 5 == 1)
        for _ in range(STEPS if left else 1):
            if not walk.step(tally):
                break
        walk.check_subsequence(tally)
    good = tally.finish()
    return census.finish(options.only) and good


def engine_resident(engine):
    status = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def chain(options, engine, eager, name, source, number, tally):
    """A long chain on one program, every second one of exact steps alone. Whether it went well."""
    rng = random.Random(f"{options.seed} chain {number}")
    walk = Walk(engine, eager, name, source, rng, options.only, varies=number % 2 == 0)
    begin, marks = time.time(), []
    for step in range(1, options.chain + 1):
        if not walk.step(tally, replay=False):
            break
        if step % max(options.chain // 4, 1) == 0:
            marks.append((step, len(walk.watched["ids"].split()), time.time() - begin, engine_resident(engine)))
    whole = engine.ask(replay=list(range(len(walk.kinds))))["source"]
    good = whole == walk.source
    if not good:
        tally.broke("the whole lineage does not replay", walk, "", "")
    if "variation" not in walk.kinds:
        kind = "rounding" if "rounding" in walk.kinds else "bitwise"
        wrong = holds(walk.first, walk.seen, kind)
        good = good and not wrong
        if wrong:
            print(f"{name}: {wrong} after {len(walk.kinds)} steps")
    for _ in range(SUBSEQUENCES):
        walk.check_subsequence(tally)
    print(f"{name}: {len(walk.kinds)} of {options.chain} steps kept;",
          "; ".join(f"step {step}: {statements} statements, {seconds:.1f} s, {size >> 20} MiB"
                    for step, statements, seconds, size in marks), flush=True)
    return good


def chains(options, engine, eager):
    tally = Tally(options.show)
    if options.sources:
        paths = [pathlib.Path(path) for path in options.sources]
        found = [(path.name, path.read_text(encoding="utf-8")) for path in paths]
    else:
        found = dumped([options.seedgen, str(1000 * options.seed), str(options.programs), "8"])
    good = True
    for number, (name, source) in enumerate(found):
        good = chain(options, engine, eager, name, source, number, tally) and good
    return tally.finish() and good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter")
    parser.add_argument("--seedgen")
    parser.add_argument("--tables")
    parser.add_argument("--applications", type=int, default=1000)
    parser.add_argument("--chain", type=int, default=0)
    parser.add_argument("--programs", type=int, default=3)
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=lambda text: set(text.split(",")), default=set())
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    state.take_baseline()
    with tempfile.TemporaryDirectory() as folder:
        engine, eager = exactness.Filter(options.filter), Eager(pathlib.Path(folder))
        good = chains(options, engine, eager) if options.chain else walk_all(options, engine, eager)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
