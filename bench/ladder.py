"""./dev bench first, jobs, hour: campaigns as people start them, on the four rungs of the compiler.

first: five seeds, nothing known: seconds from the command to the first test that has ended, to the first confirmed finding,
and until that one is reduced to the end.
jobs: aot_eager, two seeds, two minutes each, one job and two by turns, nothing reduced: how much two gain.
hour: an hour with all cores and the known bugs of the corpus (JITPROBE_BENCH_SECONDS: another length)."""

import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

import campaign

LONGEST = 600
PAUSE = 0.02
TURN = 120


class Campaign:
    """One that runs: what it writes comes with the seconds since its start."""

    def __init__(self, jitprobe, folder, *words):
        self.began = time.monotonic()
        self.log = pathlib.Path(folder, "campaign", "test_log.jsonl")
        self.lines = []
        self.process = subprocess.Popen([jitprobe, "fuzz", "--campaign", f"{folder}/campaign", "--json", *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def since(self):
        return time.monotonic() - self.began

    def _read(self):
        for line in self.process.stderr:
            self.lines.append((self.since(), line))

    def first_test(self):
        """When the first test had ended; None if none did."""
        while self.process.poll() is None:
            if self.log.exists() and self.log.stat().st_size:
                return self.since()
            time.sleep(PAUSE)
        return None

    def result(self):
        answer = self.process.stdout.read()
        self.process.wait()
        self.reader.join()
        return json.loads(answer.splitlines()[-1])

    def first_line(self, beginning):
        return next((moment for moment, line in self.lines if line.startswith(beginning)), None)


def first(figure, jitprobe):
    tests, confirmed, reduced = [], [], []
    for seed in range(901, 906):
        with tempfile.TemporaryDirectory() as folder:
            running = Campaign(jitprobe, folder, "--known", "none", "--seed", str(seed), "--until-findings", "1",
                               "--time", f"{LONGEST}s", "--finish")
            tests.append(running.first_test())
            running.result()
            confirmed.append(running.first_line("confirmed ") or LONGEST)
            reduced.append(running.since())
    for name, seconds in (("test", tests), ("confirmed", confirmed), ("reduced", reduced)):
        figure(f"first/{name}", statistics.median(seconds), "s", all=[round(one, 1) for one in seconds])


def jobs(figure, jitprobe):
    rates = {1: [], 2: []}
    for seed in (1, 2):
        for count, rate in rates.items():
            with tempfile.TemporaryDirectory() as folder:
                result = Campaign(jitprobe, folder, "--seed", str(seed), "--backend", "aot_eager", "--time", f"{TURN}s",
                                  "--reduce", "0", "--no-finish", "--jobs", str(count)).result()
            rate.append(result["tests"] / result["seconds"])
    for count, rate in rates.items():
        figure(f"jobs/{count}", statistics.mean(rate), "1/s")
    figure("jobs/gain", statistics.mean(rates[2]) / statistics.mean(rates[1]), "1")


def hour(figure, jitprobe):
    seconds = int(os.environ.get("JITPROBE_BENCH_SECONDS", "3600"))
    with tempfile.TemporaryDirectory() as folder:
        result = Campaign(jitprobe, folder, "--seed", "1", "--time", f"{seconds}s").result()
    figure("hour/tests", result["tests"], "1", seconds=round(result["seconds"]))
    for row in result["phases"]:
        figure(f"hour/phase/{campaign.phase_name(row)}", row["seconds"] / result["job_seconds"], "1")
