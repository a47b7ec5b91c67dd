"""./dev bench suppressions [--seeds N]

How much sooner a rare fault is found with suppressions: crowded.py has five faults that
show in nine of ten programs and one that shows in one of two hundred. For each seed a campaign as it is runs until it has found
the rare one, then one with --allow-known, for at most four times as long: where that finds nothing, its whole time
counts, so that the figure is a lower bound. A finding is of the rare fault when its reduced program still diverges with
that fault alone.

The campaigns stay in build/suppressions/, and existing ones are not run again.
"""

import argparse
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = BUILD / "app" / "jitprobe"
BACKEND = HERE / "crowded.py"
KEPT = ROOT / "build" / "suppressions"
LONGER = 4
LONGEST = 3600  # seconds for a campaign with suppressions


def rows(campaign):
    """Confirmed findings, in the order of their first tests: id and test."""
    try:
        with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
            return database.execute("select id, first_test from findings where status = 'confirmed' order by 2").fetchall()
    except sqlite3.Error:
        return []


def is_rare(campaign, identifier):
    reduced = campaign / "findings" / identifier / "reduced.py"
    if not reduced.exists():
        return None
    answer = subprocess.run([JITPROBE, "run", reduced, "--backend", BACKEND], capture_output=True,
                            env=os.environ | {"CROWDED": "rare"})
    return answer.returncode == 1


def hunt(campaign, seed, flags, limit):
    """Runs until the rare fault is found: seconds, its first test, and findings before it; test None when it is not."""
    words = ["fuzz", "--backend", BACKEND, "--ops", "60", "--mutations-per-program", "0", "--epoch", "25", "--jobs", "1",
             "--seed", str(seed), "--reduce", "60", "--time", f"{limit:.0f}s", "--campaign", campaign, *flags]
    began = time.monotonic()
    driver = subprocess.Popen([JITPROBE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    judged, found, seconds = {}, None, None
    while seconds is None:
        ended = driver.poll() is not None
        now = time.monotonic() - began
        for identifier, test in rows(campaign):
            if judged.get(identifier) is None:
                judged[identifier] = is_rare(campaign, identifier)
            if judged[identifier] and found is None:
                found, seconds = test, now
        if ended and seconds is None:
            seconds = now
        time.sleep(1)
    if driver.poll() is None:
        driver.send_signal(signal.SIGINT)
    driver.wait()
    return {"seconds": seconds, "test": found, "findings": sum(answer is False for answer in judged.values())}


def measured(seed):
    told = KEPT / f"{seed}.json"
    if told.exists():
        return json.loads(told.read_text())
    KEPT.mkdir(parents=True, exist_ok=True)
    result = {}
    for name, flags in (("suppressions", []), ("known", ["--allow-known"])):
        limit = LONGEST if name == "suppressions" else LONGER * result["suppressions"]["seconds"]
        campaign = KEPT / f"{name}-{seed}"
        subprocess.run(["rm", "-rf", campaign], check=True)
        result[name] = hunt(campaign, seed, flags, limit)
        print(f"seed {seed}, {name}: {result[name]}", flush=True)
    told.write_text(json.dumps(result))
    return result


def main(words, figure):
    parser = argparse.ArgumentParser(prog="./dev bench suppressions", description=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args(words)
    results = [measured(seed) for seed in range(1, options.seeds + 1)]
    suppressions, known = (sum(one[name]["seconds"] for one in results) for name in ("suppressions", "known"))
    figure("suppressions/seconds", suppressions / len(results), "s")
    figure("suppressions/allow_known/seconds", known / len(results), "s")
    figure("suppressions/sooner", known / suppressions, "1")
    figure("suppressions/allow_known/found", sum(one["known"]["test"] is not None for one in results) / len(results), "1")
    return 0
