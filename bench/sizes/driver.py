"""./dev bench sizes [--sizes 5,10,20,50,100] [--budget SECONDS] [--repetitions N]

What size of program pays: how many of the faulty compilers of bench/planted (those that aot_eager with decompositions
can show) are seen by generated programs of so many operators, in equal time.

Two measurements, so that neither depends on what else the machine does. The cost of a test: processor time of a campaign
that judges such programs, over its tests. And what they show: as many programs as the budget pays for, compiled by all
faulty compilers at once, and by each alone where anything differs. Programs are as they are drawn, without mutations;
faults that need Python around the operators don't show in any of them.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "planted"))

import faulty  # noqa: E402

BACKEND = "aot_eager_decomp_partition"


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def campaign_seconds(size, tests):
    before = processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        faulty.jitprobe("fuzz", "--tests", tests, "--jobs", 1, "--seed", 1, "--ops", size, "--backend", BACKEND,
                        "--mutations-per-program", 0, "--reduce", 0, "--campaign", f"{folder}/campaign", "--json")
    return processor_seconds() - before


def cost_of(size, tests):
    """Processor seconds a test, without what it takes to start."""
    few = tests // 5
    return (campaign_seconds(size, tests + few) - campaign_seconds(size, few)) / tests


def generated(size, seed, count):
    words = ["generate", "--seed", seed, "--count", count, "--ops", size, "--json", "--out", "-"]
    return json.loads(subprocess.run([faulty.JITPROBE, *map(str, words)], capture_output=True, check=True).stdout)


def shown_by(faults, size, seed, programs):
    """The faults that so many programs show, and how many programs were lost."""
    return faulty.seen_in(faults, BACKEND, programs, lambda first, count: generated(size, seed + first, count))


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench sizes", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="5,10,20,50,100")
    parser.add_argument("--budget", type=float, default=120, help="processor seconds for each size and repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--cost-tests", type=int, default=40, help="tests of the campaign that measures the cost")
    options = parser.parse_args(words)
    faults = faulty.without_inductor()
    for size in map(int, options.sizes.split(",")):
        cost = cost_of(size, options.cost_tests)
        programs = max(1, int(options.budget / cost))
        found, lost = [], 0
        for repetition in range(options.repetitions):
            seen, missing = shown_by(faults, size, 10_000_000 * (repetition + 1), programs)
            found.append(len(seen))
            lost += missing
            print(f"{size} operators, {programs} programs: {', '.join(sorted(seen))}", file=sys.stderr, flush=True)
        figure(f"sizes/{size}/cost", cost, "processor s")
        figure(f"sizes/{size}/faults", statistics.mean(found), "faults", each=found, programs=programs, lost=lost)
    return 0
