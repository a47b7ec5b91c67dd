"""./dev bench worth [--arms NAME,…] [--seconds N] [--repetitions N] [--torch SECONDS] [--torch-repetitions N]
                  [--epoch TESTS]

What mutations are worth: campaigns that differ in nothing but what they may do with their seeds, one job each, in equal
processor time: a campaign is ended once its processes have used so much of it, whatever else the machine does.

    seeds       generated programs as they are
    four        TorchProbe's: operators written out as loops, state broken and mended, functions extracted, true blocks
    everything  all mutations, and mutants of mutants
    without-A   everything but the mutations of section A; and so on for B, C, D and E (jitprobe list mutations)
    distant     everything, with a corpus of mutants far from their seeds (--accept distant)
    mcmc        everything, with a corpus drawn by a Markov chain (--accept mcmc)

Weights and corpus are learnt epoch by epoch: if a campaign makes few tests, --epoch must be small for them to
matter.

On planted faults: each repetition plants a dozen of the faulty compilers of bench/planted at once, the same for all
arms. Counted are the distinct confirmed signatures, and the faults: those that show in some finding's program (the reduced
one if there is one) when they are planted alone. Each with the half width of the 95 % interval of its mean, by Student's t
over the repetitions; and for each arm the mean of its differences to "everything" in the same repetition.

On torch: campaigns on aot_eager that reduce nothing. Counted are the bugs of the corpus that each meets and its other
findings. The corpus was gathered by campaigns with all mutations, so that it favours these.

Campaigns that have ended stay in build/worth/ and are not run again; one that was interrupted is started anew.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "planted")]

import faulty  # noqa: E402
import intervals  # noqa: E402

KEPT = ROOT / "build" / "worth"
BACKEND = "aot_eager_decomp_partition"
FAULTS = 12
FOUR = "unroll_elementwise,comprehend_elementwise,mutate_recover,extract_function,hoist_definition,true_block"
SECTIONS = "ABCDE"
ALL = "everything"
ARMS = ["seeds", "four", ALL, *(f"without-{section}" for section in SECTIONS), "distant", "mcmc"]
# A campaign that is let sleep by the machine for longer than this many times its processor time is ended, too.
MOST_WALL = 20


def mutations_of(section):
    listed = subprocess.run([faulty.JITPROBE, "list", "mutations", "--json"], capture_output=True, check=True).stdout
    return ",".join(row["id"] for row in json.loads(listed) if row["section"] == section)


def flags_of(arm):
    if arm.startswith("without-"):
        return ["--without", mutations_of(arm[-1])]
    return {"seeds": ["--mutations-per-program", "0"], "four": ["--only", FOUR], ALL: [],
            "distant": ["--accept", "distant"], "mcmc": ["--accept", "mcmc"]}[arm]


def ticks_of(stat):
    """(parent, processor time of a process and of its children that have ended, in ticks) of a /proc/PID/stat."""
    fields = stat.rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15]))


def processor_seconds(root):
    """What a process and everything below it have used so far."""
    parents, used = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)], used[int(folder.name)] = ticks_of((folder / "stat").read_text())
        except OSError:  # it has ended
            continue
    below, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in below} - below
        below, grown = below | more, bool(more)
    return sum(used.get(pid, 0) for pid in below) / os.sysconf("SC_CLK_TCK")


def run(command, seconds, environment):
    """Whether the command ran until it had used so many processor seconds and then ended well when it was asked to, the
    last line that it printed, and how many seconds it used."""
    began, used = time.monotonic(), 0
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True, env=os.environ | environment) as running:
        while running.poll() is None and used < seconds and time.monotonic() - began < MOST_WALL * seconds:
            time.sleep(0.5)
            used = max(used, processor_seconds(running.pid))
        asked = running.poll() is None
        if asked:
            running.send_signal(signal.SIGINT)
        said = running.communicate()[0]
    return asked and running.returncode in (0, 1), said.strip().rpartition("\n")[2], used


def campaign(name, seconds, *words):
    """What the campaign of that name says of itself in the end."""
    folder, told = KEPT / f"{name}-{seconds}s", KEPT / f"{name}-{seconds}s.json"
    if told.exists():
        return json.loads(told.read_text())
    shutil.rmtree(folder, ignore_errors=True)
    command = [faulty.JITPROBE, "fuzz", "--jobs", "1", "--json", "--no-finish", "--campaign", folder, *words]
    whole, said, used = run(command, seconds, {"PLANTED_FAULT": "1", "JITPROBE_READABLE": str(faulty.HERE)})
    if not whole or not said.startswith("{"):
        raise SystemExit(f"dev: the campaign in {folder} ended before its time")
    result = json.loads(said) | {"processor_seconds": round(used, 1), "folder": str(folder)}
    told.write_text(json.dumps(result))
    return result


def programs_of(folder):
    """The programs of a campaign's findings, reduced as far as they were."""
    files = [(one / "reduced.py", one / "program.py") for one in sorted(pathlib.Path(folder).glob("findings/*"))]
    return [{"source": next(file for file in pair if file.exists()).read_text()} for pair in files]


def drawn_faults(repetition):
    """A dozen, by the repetition's number."""
    fit = [fault for fault in faulty.faults().values() if fault.backend != "inductor" and not fault.flags]
    return random.Random(repetition).sample(fit, FAULTS)


def planted(arm, repetition, options):
    """What the arm's campaign of that repetition says of itself, with the faults that its findings show."""
    faults = drawn_faults(repetition)
    name = f"{arm}-{repetition}-{options.epoch}"
    told = campaign(name, options.seconds, "--backend", faulty.together(faults, BACKEND), "--seed", repetition,
                    "--reduce", "60", "--epoch", options.epoch, *flags_of(arm))
    kept = KEPT / f"{name}-{options.seconds}s.faults.json"
    if not kept.exists():
        programs = programs_of(told["folder"])
        seen, lost = faulty.seen_in(faults, BACKEND, len(programs), lambda first, count: programs[first:first + count])
        kept.write_text(json.dumps({"shown": sorted(seen), "lost": lost}))
    return told | json.loads(kept.read_text())


def differences(found, arm):
    return [one - other for one, other in zip(found[arm], found[ALL])]


def show(figure, what, name, found, **more):
    """A figure for each arm, and for its difference to all mutations; `what`: "planted" or "torch"."""
    for arm, values in found.items():
        figure(f"worth/{what}/{arm}/{name}", statistics.mean(values), name, half_width=intervals.around(values),
               each=values, **more)
        if ALL in found and arm != ALL:
            away = differences(found, arm)
            figure(f"worth/{what}/{arm}-{ALL}/{name}", statistics.mean(away), name, half_width=intervals.around(away),
                   each=away)


def compare_planted(options, figure):
    told = {arm: [] for arm in options.arms}
    for repetition in range(options.repetitions):
        for arm in options.arms:
            told[arm].append(planted(arm, repetition, options))
            last = told[arm][-1]
            print(f"{repetition} {arm}: {last['tests']} tests, {last['findings']} signatures, {last['processor_seconds']} s, "
                  f"{', '.join(last['shown'])}", file=sys.stderr, flush=True)
    settings = {"seconds": options.seconds, "faults": FAULTS, "epoch": options.epoch}
    show(figure, "planted", "faults", {arm: [len(one["shown"]) for one in each] for arm, each in told.items()}, **settings)
    show(figure, "planted", "signatures", {arm: [one["findings"] for one in each] for arm, each in told.items()})
    show(figure, "planted", "tests", {arm: [one["tests"] for one in each] for arm, each in told.items()})


def compare_on_torch(options, figure):
    told = {arm: [] for arm in options.arms}
    for repetition in range(1, options.torch_repetitions + 1):
        for arm in options.arms:
            name = f"{arm}-torch-{repetition}-{options.epoch}"
            last = campaign(name, options.torch, "--backend", "aot_eager", "--seed", repetition, "--reduce", "0", "--epoch",
                            options.epoch, *flags_of(arm))
            told[arm].append(last)
            print(f"torch {repetition} {arm}: {last['tests']} tests, {last['known']} known bugs, {last['findings']} others, "
                  f"{last['divergences']} divergences, {last['processor_seconds']} s", file=sys.stderr, flush=True)
    settings = {"seconds": options.torch, "epoch": options.epoch}
    show(figure, "torch", "bugs", {arm: [one["known"] + one["findings"] for one in each] for arm, each in told.items()},
         **settings)
    show(figure, "torch", "known", {arm: [one["known"] for one in each] for arm, each in told.items()})
    show(figure, "torch", "tests", {arm: [one["tests"] for one in each] for arm, each in told.items()})


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench worth", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arms", type=lambda text: text.split(","), default=ARMS)
    parser.add_argument("--seconds", type=int, default=1200, help="of processor time")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--torch", type=int, default=1200, help="of processor time; 0: not on torch")
    parser.add_argument("--torch-repetitions", type=int, default=5)
    parser.add_argument("--epoch", type=int, default=500)
    options = parser.parse_args(words)
    for arm in options.arms:
        if arm not in ARMS:
            parser.error(f"there is no arm '{arm}': {', '.join(ARMS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    if options.repetitions:
        compare_planted(options, figure)
    if options.torch:
        compare_on_torch(options, figure)
    return 0
