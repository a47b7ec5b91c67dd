"""./dev soak drift [--count SECONDS] [--first SEED]: a campaign of an hour on torch as users start it, two jobs and known
bugs included, does not drift: what driver (by medians of sixths of the time) and warm processes hold at the end is at most
10 % more than after the first sixth, the rate of the last sixth is at least 0.9 of the first, and nothing but the campaign's
folder is left.

The rate is tests with a verdict a second. What a test costs varies, so that the two sixths differ by chance as well: their
standard errors are printed, and 0.9 counts as missed only if it is two of them away."""

import json
import math
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from common import JITPROBE
from fleet import parents, runs, tree_below

PERIOD = 20  # seconds between looks
PARTS = 6
MOST_GROWTH, LEAST_RATE = 1.10, 0.90


def resident(process):
    """Kilobytes that are in memory; 0 if it has ended."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:")), 0)


def descriptors(process):
    try:
        return len(os.listdir(f"/proc/{process}/fd"))
    except OSError:
        return 0


def size_of(folder):
    """Kilobytes of the files in a folder."""
    total = 0
    for below, _, names in os.walk(folder):  # goes on where a folder has just been removed
        for name in names:
            try:
                total += os.lstat(os.path.join(below, name)).st_size
            except OSError:
                pass
    return total // 1024


def zygotes(driver):
    """Warm processes: those directly below a guard that is below the driver."""
    living = parents()
    guards = {process for process, words in tree_below(driver).items() if runs(words, "jitprobe-guard")}
    return [process for process, (parent, _) in living.items() if parent in guards]


def ended_tests(campaign):
    try:
        with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True, timeout=60) as database:
            return database.execute("select count(*) from tests where verdict is not null").fetchone()[0]
    except sqlite3.Error:
        return 0


def sample(driver, begun, campaign, temporary):
    return {"seconds": time.monotonic() - begun, "tests": ended_tests(campaign), "driver": resident(driver),
            "descriptors": descriptors(driver), "zygotes": {process: resident(process) for process in zygotes(driver)},
            "disk": size_of(campaign), "temporary": size_of(temporary)}


def rate(samples, seconds, part):
    """Tests a second in one of PARTS parts of the time, and its standard error, as of a Poisson process."""
    border = [seconds * part / PARTS, seconds * (part + 1) / PARTS]
    within = [one for one in samples if border[0] <= one["seconds"] <= border[1]]
    tests, took = within[-1]["tests"] - within[0]["tests"], within[-1]["seconds"] - within[0]["seconds"]
    return tests / took, math.sqrt(max(tests, 1)) / took


def median_of_driver(samples, seconds, part):
    """Its memory goes up and down within minutes: kilobytes, the median in one of PARTS parts of the time."""
    return statistics.median(one["driver"] for one in samples if seconds * part <= one["seconds"] * PARTS <= seconds * (part + 1))


def grown(first, last):
    """By how much a process has grown, as a factor."""
    return last / first if first else math.inf


def judge(samples):
    """What is not as promised. Time begins with the first test that has ended."""
    first = next((one["seconds"] for one in samples if one["tests"]), None)
    if first is None:
        return ["no test has ended"]
    samples = [one | {"seconds": one["seconds"] - first} for one in samples if one["tests"]]
    seconds = samples[-1]["seconds"]
    if not samples[-1]["zygotes"]:
        return ["there is no warm process at the end"]
    early = [one for one in samples if one["seconds"] >= seconds / PARTS][0]
    late = samples[-1]
    drivers = [median_of_driver(samples, seconds, part) for part in range(PARTS)]
    factors = {"driver": grown(drivers[1], drivers[-1])}
    for process, held in late["zygotes"].items():
        first = next(one["zygotes"][process] for one in samples if process in one["zygotes"] and
                     (one["seconds"] >= early["seconds"] or process not in early["zygotes"]))
        factors[f"warm process {process}"] = grown(first, held)
    (first, first_error), (last, last_error) = rate(samples, seconds, 0), rate(samples, seconds, PARTS - 1)
    rates = [round(rate(samples, seconds, part)[0], 3) for part in range(PARTS)]
    print(json.dumps({"tests": late["tests"], "rates": rates, "errors": [round(first_error, 3), round(last_error, 3)],
                      "growth": {name: round(factor, 3) for name, factor in factors.items()},
                      "driver_kb": drivers, "zygotes_kb": list(late["zygotes"].values()),
                      "descriptors": [early["descriptors"], late["descriptors"]],
                      "disk_kb": [one["disk"] for one in samples[::max(1, len(samples) // PARTS)]],
                      "temporary_kb": max(one["temporary"] for one in samples)}), flush=True)
    wrong = [f"{name} has grown by a factor of {factor:.2f}" for name, factor in factors.items() if factor > MOST_GROWTH]
    error = math.hypot(last_error, LEAST_RATE * first_error)
    if last < LEAST_RATE * first - 2 * error:
        wrong.append(f"the rate fell from {first:.2f} to {last:.2f} tests a second")
    if late["descriptors"] > early["descriptors"] + 4:
        wrong.append("descriptors are left open")
    return wrong


def soak(seconds=3600, seed=1, jobs=2):
    work = tempfile.mkdtemp(prefix="jitprobe-drift-")
    campaign, temporary = f"{work}/campaign", pathlib.Path(work, "temporary")
    temporary.mkdir()
    command = [JITPROBE, "fuzz", "--time", f"{seconds}s", "--jobs", jobs, "--seed", seed, "--stats", "--json",
               "--campaign", campaign]
    begun = time.monotonic()
    with open(f"{work}/out.txt", "w") as out, open(f"{work}/err.txt", "w") as err:
        driver = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err, env=os.environ | {"TMPDIR": str(temporary)})
    samples, tree = [], {}
    while driver.poll() is None:
        tree |= tree_below(driver.pid)
        one = sample(driver.pid, begun, campaign, temporary)
        if one["driver"] and one["seconds"] <= seconds:
            samples.append(one)
            pathlib.Path(work, "samples.json").write_text(json.dumps(samples))
        time.sleep(PERIOD)
    if driver.returncode not in (0, 1):
        print(f"exit {driver.returncode}: {pathlib.Path(work, 'err.txt').read_text()[-2000:]}")
        return False
    print(pathlib.Path(work, "out.txt").read_text().splitlines()[-1])
    wrong = judge(samples)
    living = parents()
    left = [process for process, its in tree.items() if living.get(process, (0, None))[1] == its]
    if left:
        wrong.append(f"processes are left: {left}")
    if traces := [str(path) for path in temporary.rglob("*") if path != temporary / f"jitprobe-{os.geteuid()}"]:
        wrong.append(f"temporary files are left: {traces[:9]}")
    print("\n".join(wrong) or f"no drift; the campaign is in {campaign}", flush=True)
    return not wrong


if __name__ == "__main__":
    sys.exit(not soak(int(sys.argv[1]) if len(sys.argv) > 1 else 3600))
