"""./dev bench worth [--arms NAME,…] [--seconds N] [--repetitions N] [--torch SECONDS] [--epoch TESTS]

What mutations are worth: distinct confirmed signatures of campaigns that differ in nothing but what they may do with
their seeds, one job each, in equal time.

    seeds       generated programs as they are
    four        TorchProbe's: operators written out as loops, state broken and mended, functions extracted, true blocks
    everything  all mutations, and mutants of mutants
    distant     everything, with a corpus of mutants far from their seeds (--accept distant)
    mcmc        everything, with a corpus drawn by a Markov chain (--accept mcmc)

Weights and corpus are learnt epoch by epoch: if a campaign makes few tests, --epoch must be small for them to
matter.

On planted faults: each repetition plants a dozen of the faulty compilers of bench/planted at once, the same for all
arms. On torch: one campaign each on aot_eager. Campaigns stay in build/worth/, and one that is there is gone on with.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "planted"))

import faulty  # noqa: E402

KEPT = ROOT / "build" / "worth"
BACKEND = "aot_eager_decomp_partition"
FAULTS = 12
FOUR = "unroll_elementwise,comprehend_elementwise,mutate_recover,extract_function,hoist_definition,true_block"
ARMS = {
    "seeds": ["--mutations-per-program", "0"],
    "four": ["--only", FOUR],
    "everything": [],
    "distant": ["--accept", "distant"],
    "mcmc": ["--accept", "mcmc"],
}


def campaign(name, seconds, *words):
    """What the campaign of that name says of itself in the end; what has run for long enough is not run again."""
    folder, told = KEPT / f"{name}-{seconds}s", KEPT / f"{name}-{seconds}s.json"
    if told.exists():
        return json.loads(told.read_text())
    begin = ["--campaign", folder, *(["--resume"] if folder.exists() else words)]
    command = [faulty.JITPROBE, "fuzz", "--time", f"{seconds}s", "--jobs", "1", "--json", *map(str, begin)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PLANTED_FAULT": "1", "JITPROBE_READABLE": str(faulty.HERE)})
    if answer.returncode > 1:
        raise SystemExit(f"dev: the campaign in {folder} ended with {answer.returncode}")
    told.write_text(answer.stdout.splitlines()[-1])
    return json.loads(told.read_text())


def planted(repetition):
    """A backend with a dozen faults, drawn by the repetition's number."""
    fit = [fault for fault in faulty.faults().values() if fault.backend != "inductor" and not fault.flags]
    return faulty.together(random.Random(repetition).sample(fit, FAULTS), BACKEND)


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench worth", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arms", type=lambda text: text.split(","), default=list(ARMS))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--torch", type=int, default=1200, help="0: not on torch")
    parser.add_argument("--epoch", type=int, default=500)
    options = parser.parse_args(words)
    for arm in options.arms:
        if arm not in ARMS:
            parser.error(f"there is no arm '{arm}': {', '.join(ARMS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    found = {arm: [] for arm in options.arms}
    tests = {arm: [] for arm in options.arms}
    for repetition in range(options.repetitions):
        for arm in options.arms:
            told = campaign(f"{arm}-{repetition}-{options.epoch}", options.seconds, "--backend", planted(repetition),
                            "--seed", repetition, "--reduce", "60", "--epoch", options.epoch, *ARMS[arm])
            found[arm].append(told["findings"])
            tests[arm].append(told["tests"])
    for arm in options.arms if options.repetitions else []:
        figure(f"worth/planted/{arm}", statistics.mean(found[arm]), "signatures", each=found[arm], tests=tests[arm],
               seconds=options.seconds, faults=FAULTS, epoch=options.epoch)
    for arm in options.arms if options.torch else []:
        told = campaign(f"{arm}-torch-{options.epoch}", options.torch, "--backend", "aot_eager", "--seed", 1, "--epoch",
                        options.epoch, *ARMS[arm])
        figure(f"worth/torch/{arm}", told["findings"], "signatures", known=told["known"], tests=told["tests"],
               seconds=options.torch, epoch=options.epoch)
    return 0
