"""./dev bench [NAME…]: prints one JSON line a figure.

Names: generate, mutate, facts (Google Benchmark executables), campaign (jitprobe itself on real torch, beside a bare loop
over the same programs; a quarter of an hour), start (of a warm process), observe (the share of a test that goes into
recording it), page (of explore, in Chromium). All of them without a name. By name alone: fleet (lease servers, and how well
cores are used; minutes), first, jobs and hour (campaigns as people start them: how soon the first finding is there, what two
jobs gain, what an hour does). And, each with a driver.py that says more: papers (Isra's tables with ours beside them), peers
(other generators side by side), sizes (what size of program pays), signatures (whether findings of distinct causes are told
apart); and, for hours, worth (what mutations add), planted (the whole tool on faulty compilers), suppressions (how much
sooner a rare fault is found) and apfd (how soon an order of harvested calls shows faults).
"""

import importlib
import json
import os
import pathlib
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
JITPROBE = BUILD / "app" / "jitprobe"


def machine():
    model = re.search(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} x {model.group(1).strip() if model else platform.machine()}"


def commit():
    answer = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return answer.stdout.strip() or "none"


def figure(name, value, unit, **more):
    print(json.dumps({"name": name, "value": round(value, 4), "unit": unit, **more, "commit": commit(),
                      "machine": machine()}), flush=True)


def micro(executable):
    answer = subprocess.run([BUILD / "bench" / executable, "--benchmark_format=json"], capture_output=True, text=True,
                            check=True)
    for row in json.loads(answer.stdout)["benchmarks"]:
        figure(row["name"], row["items_per_second"], "1/s")


def start():
    began = time.monotonic()
    subprocess.run([JITPROBE, "doctor", "--warm"], check=True, capture_output=True)
    figure("start/warm", time.monotonic() - began, "s")


def observe():
    """A hundred generated programs, eager and aot_eager, in one process."""
    python = os.environ.get("JITPROBE_PYTHON") or ROOT / ".venv" / "bin" / "python"
    programs = subprocess.run(
        [JITPROBE, "generate", "--seed", "1", "--count", "110", "--ops", "10", "--json", "--out", "-"],
        capture_output=True, check=True).stdout
    answer = subprocess.run([python, ROOT / "bench" / "observe.py"], input=programs, capture_output=True, check=True)
    result = json.loads(answer.stdout.splitlines()[-1])
    figure("observe/aot_eager/share", result["share"], "1")
    figure("observe/aot_eager/test", result["milliseconds"], "ms")


def grow(folder, tests):
    """Copies the tests of a campaign that has ended, under further numbers, until there are so many."""
    database = sqlite3.connect(folder / "campaign.db")
    columns = [row[1] for row in database.execute("PRAGMA table_info(tests)")][1:]
    rows = database.execute(f"SELECT {', '.join(columns)} FROM tests ORDER BY number").fetchall()
    log = [json.loads(line) for line in (folder / "test_log.jsonl").read_text(encoding="utf-8").splitlines()]
    marks = ", ".join("?" * (len(columns) + 1))
    more = range(len(rows), tests)
    database.executemany(f"INSERT INTO tests VALUES ({marks})", ((n, *rows[n % len(rows)]) for n in more))
    database.commit()
    database.close()
    with (folder / "test_log.jsonl").open("a", encoding="utf-8") as file:
        for n in more:
            file.write(json.dumps(log[n % len(log)] | {"test": n}) + "\n")


def chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("JITPROBE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        print("dev: the benchmark 'page' needs Chromium (Debian: chromium), or its path in JITPROBE_CHROMIUM", file=sys.stderr)
        sys.exit(2)
    return found


def page():
    """The page of explore: a model, and a campaign of 100,000 tests, copies of a hundred that were run."""
    environment = os.environ | {"JITPROBE_CHROMIUM": chromium()}
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        fuzzed = subprocess.run([JITPROBE, "fuzz", "--tests", "100", "--jobs", "1", "--seed", "1", "--backend", "eager",
                                 "--reduce", "0", "--campaign", campaign], capture_output=True, text=True)
        if fuzzed.returncode not in (0, 1):  # 1: it found something
            sys.exit(f"the campaign to be looked at: {fuzzed.stderr}")
        grow(campaign, 100000)
        answer = subprocess.run(["node", ROOT / "bench" / "page.mjs", JITPROBE, ROOT / "corpus" / "models" / "gru.py",
                                 campaign], check=True, capture_output=True, text=True, env=environment)
    for name, value in json.loads(answer.stdout).items():
        figure(f"page/{name.replace(' ', '_')}", value, "B" if name in ("page", "heap", "server") else "ms")


FIGURES = {
    "generate": lambda: micro("bench_generate"),
    "mutate": lambda: micro("bench_mutate"),
    "facts": lambda: micro("bench_facts"),
    "start": start,
    "observe": observe,
    "campaign": lambda: of_module("campaign"),
    "page": page,
}


def of_module(name):
    importlib.import_module(name).main(figure, JITPROBE)


def of_ladder(name):
    getattr(importlib.import_module("ladder"), name)(figure, JITPROBE)


# By name alone: minutes, and an hour.
FIGURES_ALONE = {"fleet": lambda: of_module("fleet"), "first": lambda: of_ladder("first"),
                 "jobs": lambda: of_ladder("jobs"), "hour": lambda: of_ladder("hour")}

# Folders with a driver and words of their own; some take hours.
LONG = ("planted", "suppressions", "apfd", "papers", "peers", "sizes", "worth", "signatures")


def long(name, words):
    sys.path.insert(0, str(ROOT / "bench" / name))
    import driver

    return driver.main(words, figure)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in LONG:
        sys.exit(long(sys.argv[1], sys.argv[2:]))
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__)
        sys.exit(0)
    names = sys.argv[1:] or list(FIGURES)
    for name in names:
        figures = (FIGURES | FIGURES_ALONE).get(name)
        if not figures:
            print(f"dev: there is no benchmark '{name}': {', '.join([*FIGURES, *FIGURES_ALONE, *LONG])}", file=sys.stderr)
            sys.exit(2)
        figures()
