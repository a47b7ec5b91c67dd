"""How soon the orders show real faults, which campaigns find (real_campaigns.py).

One of Inductor's that shows, with the same kind of failure, on a program on which one of aot_eager's shows is that one:
Inductor works on what AOTAutograd gives it. What was found is kept in real/BACKEND.json beside this file, with the programs
that weren't run, so that orders can be compared without the hours that it takes.
"""

import datetime
import hashlib
import json
import pathlib
import random

import real_campaigns
from real_campaigns import BACKENDS

KEPT = pathlib.Path(__file__).resolve().parent / "real"
DRAWS = 10000  # of faults, for an interval


def digest(harvest):
    """(names, SHA-256 of all texts) of a harvest's programs."""
    names = sorted(row["file"] for row in json.loads((harvest / "instances.json").read_text())["instances"])
    texts = hashlib.sha256(b"".join((harvest / name).read_bytes() for name in names))
    return names, texts.hexdigest()


def keep(harvest, folder, backend):
    """Writes down what a backend's campaigns in FOLDER/BACKEND have found."""
    names, sha256 = digest(harvest)
    ran, found = real_campaigns.ran(folder / backend)
    torch = json.loads((harvest / "instances.json").read_text())["torch"]
    told = {"torch": torch, "date": datetime.date.today().isoformat(), "harvest": sha256,
            "not_run": sorted(set(names) - set(ran)), "findings": found}
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{backend}.json").write_text(json.dumps(told, indent=1) + "\n")


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


def read(harvest):
    """{"ran": {backend: files}, "faults": {name: files}, "findings": [(backend, rows)]} of what is kept of this harvest."""
    names, sha256 = digest(harvest)
    ran, found = {}, []
    for backend in BACKENDS:
        kept = KEPT / f"{backend}.json"
        told = json.loads(kept.read_text()) if kept.exists() else {"harvest": None}
        if told["harvest"] == sha256:
            ran[backend] = set(names) - set(told["not_run"])
            found.append((backend, told["findings"]))
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
    if options.run:
        folder = pathlib.Path(options.campaigns)
        if not real_campaigns.run(options.jitprobe, harvest, folder, options.run):
            print(f"not finished: ./dev bench apfd --faults real --run {options.run} goes on")
            return 1
        keep(harvest, folder, options.run)
    told = read(harvest)
    if not told["ran"]:
        print("nothing is kept of this harvest: --run aot_eager and --run inductor run it")
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
