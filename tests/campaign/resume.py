"""kill -9 of the driver in the middle of a campaign, twice, then --resume: every test has one verdict, the same as in a
campaign that was left alone; no process is left; a finished campaign runs nothing more."""

import os
import signal
import sqlite3
import subprocess
import time

from common import JITPROBE, ROOT, check, folder, jitprobe, last_json

TESTS = 7
BACKEND = ROOT / "tests" / "puzzles" / "lost_side_effect.py"


def words(campaign, *more):
    return ["fuzz", "--tests", str(TESTS), "--seed", "11", "--jobs", "1", "--reduce", "5", "--backend", str(BACKEND), "--campaign",
            campaign, "--json", *more]


def verdicts(campaign):
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        return dict(database.execute("select number, sha256 || ' ' || ifnull(verdict, '') from tests"))


def unfinished(campaign):
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        return database.execute("select count(*) from tests where verdict is null").fetchone()[0]


def findings(campaign):
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        return sorted(row[0] for row in database.execute("select id from findings where status = 'confirmed'"))


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


def kill_in_the_middle(campaign, flags, after):
    mark = f"JITPROBE_TEST_MARK={os.getpid()}-{time.monotonic_ns()}"
    name, value = mark.split("=")
    driver = subprocess.Popen([str(JITPROBE), *words(campaign, *flags)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=os.environ | {name: value})
    # Killed once so many tests have a verdict: a moment in the middle of some later test.
    while driver.poll() is None:
        if os.path.exists(f"{campaign}/campaign.db"):
            try:
                if sum(bool(text.split(" ", 1)[1]) for text in verdicts(campaign).values()) >= after:
                    break
            except sqlite3.Error:
                pass
        time.sleep(0.02)
    check(driver.poll() is None, "the campaign ended before it could be killed")
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    deadline = time.monotonic() + 10
    while processes(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    check(not processes(mark), f"processes are left: {processes(mark)}")


def main():
    with folder() as work:
        straight, killed = f"{work}/straight", f"{work}/killed"
        answer = jitprobe(*words(straight))
        check(answer.returncode == 1, f"the planted fault was not found: {answer.stderr[-2000:]}")
        kill_in_the_middle(killed, [], 2)
        check(unfinished(killed) <= 1, "more than the one test under way has no verdict")
        answer = jitprobe(*words(killed))
        check(answer.returncode == 2 and "--resume" in answer.stderr, f"a taken folder: {answer.stderr}")
        kill_in_the_middle(killed, ["--resume"], 5)
        before = verdicts(killed)
        answer = jitprobe(*words(killed, "--resume"))
        check(answer.returncode in (0, 1), answer.stderr[-2000:])
        after = verdicts(killed)
        check(all(after[number] == text for number, text in before.items() if text.split(" ", 1)[1]),
              "a test that had its verdict was run again")
        check(after == verdicts(straight), "killed and resumed, the campaign is not the one that was left alone")
        check(findings(killed) == findings(straight), "other findings")
        again = last_json(jitprobe(*words(killed, "--resume")))
        check(again["tests"] == 0, f"a finished campaign ran {again['tests']} tests")
    print("nothing lost, nothing run twice, no process left")


if __name__ == "__main__":
    main()
