"""./dev bench guide [--guide NAME] [--seconds N | --tests N] [--repetitions N] [--epoch N] [--ops N]

Whether a guide of `fuzz` finds more: pairs of campaigns under the same seed, one without a guide and one with it, one job
each on aot_eager, without mutations. Which of the 36 faulty compilers of bench/planted, those that aot_eager with
decompositions can show by values, do their programs show? Each pair begins with the other one.

Both campaigns of a pair get the same time (--seconds, by the wall: the machine must be idle), or make the same number of
tests (--tests); how much processor time they used is printed. --epoch must be small for a guide to have learnt something.

Printed: the faults of each, U of Mann and Whitney for "guided finds more" and its two-sided probability by chance, and
that of the pairs' signs.
"""

import argparse
import hashlib
import json
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "planted")]

import faulty  # noqa: E402
import intervals  # noqa: E402

PROGRAMS = faulty.BUILD / "bench" / "campaign_programs"
BACKEND = "aot_eager_decomp_partition"


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def programs_of(folder):
    """Those of a campaign's tests, as far as each is the one that its database names."""
    with sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True) as database:
        hashes = dict(database.execute("SELECT number, sha256 FROM tests WHERE verdict IS NOT NULL"))
    count = str(max(hashes, default=-1) + 1)
    made = json.loads(subprocess.run([PROGRAMS, folder, count], capture_output=True, check=True).stdout)
    same = [hashlib.sha256(one["source"].encode()).hexdigest() == hashes.get(number) for number, one in enumerate(made)]
    return [one for one, is_it in zip(made, same) if is_it], same.count(False)


def campaign(guide, seed, options):
    """The faults that a campaign's programs show, and what it took."""
    bound = ["--tests", options.tests] if options.tests else ["--time", f"{options.seconds}s"]
    before = processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        told = faulty.jitprobe("fuzz", "--seed", seed, *bound, "--backend", "aot_eager", "--jobs", 1, "--ops", options.ops,
                               "--mutations-per-program", 0, "--reduce", 0, "--no-finish", "--known", "none", "--allow-known",
                               "--epoch", options.epoch, "--guide", guide, "--campaign", f"{folder}/campaign", "--json")
        used = processor_seconds() - before
        if "error" in told:
            sys.exit(f"dev: the campaign ended with: {told['error']}")
        programs, others = programs_of(f"{folder}/campaign")
    seen, lost = faulty.seen_in(faulty.without_inductor(), BACKEND, len(programs),
                                lambda first, count: programs[first:first + count])
    return {"guide": guide, "seed": seed, "tests": told["tests"], "programs": len(programs), "other programs": others,
            "seconds": round(used, 1), "lost": lost, "faults": sorted(seen)}


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench guide", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--guide", default="counters")
    parser.add_argument("--seconds", type=int, default=90)
    parser.add_argument("--tests", type=int, default=0)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="seed of the first pair")
    parser.add_argument("--epoch", type=int, default=10)
    parser.add_argument("--ops", type=int, default=8)
    options = parser.parse_args(words)
    order = ["none", options.guide]
    found = {guide: [] for guide in order}
    for seed in range(options.first, options.first + options.repetitions):
        for guide in order:
            row = campaign(guide, seed, options)
            print(json.dumps(row), file=sys.stderr, flush=True)
            found[guide].append(row)
        order.reverse()
    faults = {guide: [len(row["faults"]) for row in rows] for guide, rows in found.items()}
    for guide, rows in found.items():
        figure(f"guide/{guide}/faults", statistics.mean(faults[guide]), "faults", each=faults[guide],
               half_width=intervals.around(faults[guide]), tests=[row["tests"] for row in rows], epoch=options.epoch)
        figure(f"guide/{guide}/time", statistics.mean(row["seconds"] for row in rows), "processor s")
    u, chance = intervals.mann_whitney(faults[options.guide], faults["none"])
    figure("guide/U", u, "pairs", of=options.repetitions**2, p=round(chance, 4))
    more, fewer, chance = intervals.sign_test(faults[options.guide], faults["none"])
    figure("guide/signs", more, "pairs", fewer=fewer, p=round(chance, 4))
    return 0
