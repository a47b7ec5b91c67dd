"""kill -9 of the driver in the middle of a campaign with findings, twice, with one job and then with four, and --resume over
three epochs: every table has the same rows as that of a campaign that was left alone; no program of a test that had its
verdict is compiled again; no process is left; a finished campaign runs nothing more.

The backend writes down which program it compiles. After a kill the only programs of finished tests that may be compiled
once more are those of divergences that were not decided yet (nothing is reduced here: reducing.py has that).
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import time

from common import JITPROBE, NO_COMPILER, PATIENCE, check, folder, jitprobe, kill_when, last_json, phases_add_up
from tables import same_tables

EPOCH, EPOCHS = 2, 3
TESTS = EPOCH * EPOCHS
# Loses writes to arguments, as tests/puzzles/lost_side_effect.py does, and notes the hash of each text it compiles.
BACKEND = '''import hashlib
import os

import torch


def compile(fn, **options):
    with open(fn.__code__.co_filename, "rb") as program, open(os.environ["COMPILED_LOG"], "a") as log:
        log.write(hashlib.sha256(program.read()).hexdigest() + "\\n")

    def compiled(*args, **kwargs):
        args = tuple(a.clone() if isinstance(a, torch.Tensor) and not a.requires_grad else a for a in args)
        return fn(*args, **kwargs)

    return compiled
'''


class Campaign:
    def __init__(self, work, name):
        self.folder, self.backend, self.log = f"{work}/{name}", f"{work}/backend.py", f"{work}/{name}.log"
        pathlib.Path(self.log).touch()

    def words(self, jobs, *more):
        return ["fuzz", "--known", "none",
                "--tests", str(TESTS), "--epoch", str(EPOCH), "--seed", "11", "--jobs", str(jobs), "--reduce", "0",
                *NO_COMPILER, "--backend", self.backend, "--campaign", self.folder, "--json", *more]

    def run(self, jobs, *more):
        return jitprobe(*self.words(jobs, *more), env={"JITPROBE_SANDBOX": "off", "COMPILED_LOG": self.log})

    def job_time(self):
        """Of all starts of the campaign; nothing before any was stored."""
        path = pathlib.Path(self.folder) / "phases.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"job_seconds": 0, "phases": []}

    def ask(self, query):
        with sqlite3.connect(f"file:{self.folder}/campaign.db?mode=ro", uri=True) as database:
            return database.execute(query).fetchall()

    def tests(self):
        """Test -> hash of its program and verdict; the verdict is None while there is none."""
        return {number: (sha, verdict) for number, sha, verdict in self.ask("select number, sha256, verdict from tests")}

    def finished(self):
        return {number: row for number, row in self.tests().items() if row[1]}

    def findings(self):
        return sorted(self.ask("select id, kind, status, first_test from findings"))

    def may_be_compiled_again(self):
        """Tests whose finding was under way: not confirmed yet, or not even decided."""
        waiting = {int(file.stem) for file in pathlib.Path(self.folder).glob("waiting/*.json")}
        return waiting | {test for status, test in self.ask("select status, first_test from findings") if status == "candidate"}

    def compiled(self):
        return pathlib.Path(self.log).read_text(encoding="utf-8").split()

    def settled(self):
        """Hashes of programs that must not be compiled any more."""
        again = self.may_be_compiled_again()
        done = {sha for number, (sha, _) in self.finished().items() if number not in again}
        return done - {sha for number, (sha, verdict) in self.tests().items() if not verdict or number in again}


def processes(mark):
    """Processes whose environment holds the mark: everything that a campaign started, however deep."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def kill_in_the_middle(campaign, jobs, flags, after):
    """Kills the driver once so many tests have a verdict: a moment in the middle of some later test."""
    name, value = "JITPROBE_TEST_MARK", f"{os.getpid()}-{time.monotonic_ns()}"
    driver = subprocess.Popen([str(JITPROBE), *campaign.words(jobs, *flags)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=os.environ | {"JITPROBE_SANDBOX": "off", name: value, "COMPILED_LOG": campaign.log})
    kill_when(driver, lambda: len(campaign.finished()) >= after)
    mark, end = f"{name}={value}", time.monotonic() + PATIENCE
    while processes(mark) and time.monotonic() < end:
        time.sleep(0.02)
    check(not processes(mark), f"processes are left: {processes(mark)}")


def resumed(campaign, go_on):
    """What go_on does with a campaign that was killed: nothing that was settled is done again."""
    before, settled, noted = campaign.finished(), campaign.settled(), len(campaign.compiled())
    go_on()
    again = settled & set(campaign.compiled()[noted:])
    numbers = sorted(number for number, (sha, _) in before.items() if sha in again)
    check(not again, f"finished tests ran again: {numbers}")
    after = campaign.tests()
    check(all(after[number] == row for number, row in before.items()), "a verdict changed")


def no_more_than(jobs, campaign):
    check(len(campaign.tests()) - len(campaign.finished()) <= jobs, "more than the tests under way have no verdict")


def killed_twice(work, straight):
    """With one job, then with four; the last start has one again."""
    campaign = Campaign(work, "killed")
    kill_in_the_middle(campaign, 1, [], 1)
    no_more_than(1, campaign)
    answer = campaign.run(1)
    check(answer.returncode == 2 and "--resume" in answer.stderr, f"a taken folder: {answer.stderr}")
    resumed(campaign, lambda: kill_in_the_middle(campaign, 4, ["--resume"], EPOCH + 1))
    no_more_than(4, campaign)

    def to_the_end():
        before = campaign.job_time()
        answer = campaign.run(1, "--resume")
        check(answer.returncode in (0, 1), answer.stderr[-2000:])
        last, after = last_json(answer), campaign.job_time()
        phases_add_up(last)
        phases_add_up(after)
        check(after["job_seconds"] >= before["job_seconds"] + 0.99 * last["job_seconds"], f"time is lost: {before} {after}")

    resumed(campaign, to_the_end)
    check(campaign.tests() == straight.tests(), "other tests than in the campaign that was left alone: "
                                                f"{campaign.tests()} {straight.tests()}")
    same_tables(straight.folder, campaign.folder, "killed twice")
    noted = len(campaign.compiled())
    again = last_json(campaign.run(4, "--resume"))
    check(again["tests"] == 0 and not set(campaign.compiled()[noted:]) & {sha for sha, _ in campaign.tests().values()},
          f"a finished campaign ran {again['tests']} tests")


def main():
    with folder() as work:
        straight = Campaign(work, "straight")
        pathlib.Path(straight.backend).write_text(BACKEND, encoding="utf-8")
        answer = straight.run(1)
        check(answer.returncode == 1, f"the planted fault was not found: {answer.stderr[-2000:]}")
        confirmed = [row for row in straight.findings() if row[2] == "confirmed"]
        check(confirmed and len(straight.finished()) == TESTS, f"{confirmed} {straight.tests()}")
        spent = phases_add_up(last_json(answer))
        for phase in ("draw", "profile", "eager", "compiled", "judge_alone", "confirm", "store"):
            check(spent.get(phase, 0) > 0, f"no time for {phase}: {spent}")
        check("reduce_new" not in spent, f"nothing is reduced here: {spent}")
        listed = jitprobe("findings", "statistics", "--campaign", straight.folder).stdout
        check("judge alone" in listed and "all jobs together" in listed, f"findings statistics has no phases: {listed}")
        ran = {sha for sha, _ in straight.tests().values()}
        check(ran & set(straight.compiled()), "the backend's log holds no program of a test: this test would show nothing")
        killed_twice(work, straight)
    print("nothing lost, nothing run twice, no process left")


if __name__ == "__main__":
    main()
