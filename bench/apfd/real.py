"""Real faults: every harvested program once under a campaign's own oracle, compiled by aot_eager and by Inductor.

A campaign for each backend, in FOLDER/BACKEND, takes the programs unmutated, in an order that is drawn, so that those that
were run before it was stopped are a sample of all. `run` begins or continues it. What diverges and is confirmed in fresh
processes is a fault, told apart from others by the finding's signature. One of Inductor's that shows, with the same kind of
failure, on a program on which one of aot_eager's shows is that one: Inductor works on what AOTAutograd gives it.
"""

import hashlib
import json
import os
import pathlib
import random
import sqlite3
import subprocess

BACKENDS = ("aot_eager", "inductor")
SEED = 33  # of the order in which the programs run
DRAWS = 10000  # of faults, for an interval


def shuffled(jitprobe, harvest, folder):
    """The programs in a drawn order, copied once."""
    where = folder / "programs"
    if not where.exists():
        subprocess.run([jitprobe, "harvest", "order", harvest, "--by", "random", "--seed", str(SEED), "--out", where],
                       stdout=subprocess.DEVNULL, check=True)
    return where


def run(jitprobe, harvest, folder, backend):
    """Begins or continues a backend's campaign: minutes for aot_eager, hours for Inductor; Ctrl-C stops it cleanly."""
    campaign = folder / backend
    if (campaign / "campaign.db").exists():
        words = ["--resume"]
    else:
        programs = shuffled(jitprobe, harvest, folder)
        count = sum(1 for _ in programs.glob("*.py"))
        words = ["--from", programs, "--mutations-per-program", "0", "--backend", backend, "--oracle", "eager_vs_compiled",
                 "--reduce", "0", "--no-finish", "--allow-known", "--jobs", "1", "--seed", str(SEED), "--tests", str(count)]
    subprocess.run([jitprobe, "fuzz", "--campaign", campaign, *words], env=os.environ)


def findings_of(campaign, names):
    """(files that were run, [{"id", "kind", "title", "files"}]) of a campaign's folder; `names`: file by SHA-256."""
    store = sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True)
    ran, of_test = set(), {}
    for number, sha256, verdict in store.execute("select number, sha256, verdict from tests"):
        if verdict and sha256 in names:
            of_test[number] = names[sha256]
            ran.add(names[sha256])
    found = []
    rows = store.execute("select id, kind, reason from findings where status = 'confirmed' order by id")
    for finding, kind, reason in rows.fetchall():
        tests = store.execute("select test from sightings where finding = ? order by test", (finding,)).fetchall()
        files = sorted({of_test[test] for (test,) in tests if test in of_test})
        if files:
            found.append({"id": finding, "kind": kind, "reason": reason, "files": files})
    store.close()
    return ran, found


def merged(of_backends):
    """The faults of all backends, each once: {name: files}."""
    faults = {}
    for backend, found in of_backends:
        for one in found:
            name = f"{backend}:{one['id']}"
            for known, (kind, files) in faults.items():
                if kind == one["kind"] and set(files) & set(one["files"]):
                    name = known
                    break
            kind, files = faults.get(name, (one["kind"], []))
            faults[name] = (kind, sorted({*files, *one["files"]}))
    return {name: files for name, (_, files) in faults.items()}


def read(harvest, folder):
    """{"ran": {backend: files}, "faults": {name: files}} of the campaigns that there are."""
    files = [row["file"] for row in json.loads((harvest / "instances.json").read_text())["instances"]]
    names = {hashlib.sha256((harvest / file).read_bytes()).hexdigest(): file for file in files}
    ran, found = {}, []
    for backend in BACKENDS:
        if (folder / backend / "campaign.db").exists():
            ran[backend], of_backend = findings_of(folder / backend, names)
            found.append((backend, of_backend))
    return {"ran": ran, "faults": merged(found), "findings": found}


def places(order, files, faults):
    """Of each fault the first place, as a share, of a program that shows it, among the programs that were run."""
    among = [file for file in order if file in files]
    place = {file: number for number, file in enumerate(among, 1)}
    return [(min(place[file] for file in shown) - 0.5) / len(among) for shown in faults.values()]


def interval(values):
    """The 95 % interval of their mean, by drawing as many of them again and again."""
    draws = random.Random(0)
    means = sorted(sum(draws.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]


def orders_of(ordered, names, repetitions):
    """{order: [orders of files]}; of the random one `repetitions`."""
    return {by: [ordered(by, seed) for seed in range(repetitions if by == "random" else 1)] for by in names}


def shares(orders, files, faults):
    """{order: APFD of each fault}; of several repetitions the mean. 1 - place is the APFD of one fault."""
    told = {}
    for by, several in orders.items():
        of_each = [[1 - place for place in places(one, files, faults)] for one in several]
        told[by] = [sum(column) / len(column) for column in zip(*of_each)]
    return told


def compare(told, figure, what):
    """Prints the table of one set of faults."""
    count = len(next(iter(told.values())))
    drawn = told["random"]
    for by, values in sorted(told.items(), key=lambda one: -sum(one[1])):
        mean, chance = sum(values) / count, sum(drawn) / count
        low, high = interval(values)
        least, most = interval([one - other for one, other in zip(values, drawn)])
        print(f"  {by:<11} {mean:.4f} [{low:.3f}, {high:.3f}]  {mean / chance:.3f} x random, "
              f"difference [{least:+.3f}, {most:+.3f}]")
        figure(f"apfd/real/{what}/{by}", mean, "1", low=round(low, 4), high=round(high, 4), random=round(chance, 4),
               faults=count)


def main(options, harvest, ordered, orders, figure):
    folder = pathlib.Path(options.campaigns)
    if options.run:
        folder.mkdir(parents=True, exist_ok=True)
        run(options.jitprobe, harvest, folder, options.run)
    told = read(harvest, folder)
    if not told["ran"]:
        print(f"there is no campaign in {folder}: make them with --run aot_eager and --run inductor")
        return 1
    for backend, ran in told["ran"].items():
        found = dict(told["findings"])[backend]
        print(f"{backend}: {len(ran)} programs were run, {len(found)} faults, shown by "
              f"{len({file for one in found for file in one['files']})} programs")
    of_files = orders_of(ordered, orders, options.repetitions)
    sets = [("+".join(told["ran"]), set.intersection(*told["ran"].values()), told["faults"])]
    if len(told["ran"]) > 1:
        sets += [(backend, told["ran"][backend], {one["id"]: one["files"] for one in found})
                 for backend, found in told["findings"]]
    for what, files, faults in sets:
        faults = {name: [file for file in shown if file in files] for name, shown in faults.items()}
        faults = {name: shown for name, shown in faults.items() if shown}
        print(f"{what}: {len(faults)} faults on {len(files)} programs")
        if faults:
            compare(shares(of_files, files, faults), figure, what)
    return 0
