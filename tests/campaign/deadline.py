"""The end of a campaign in the middle of a confirmation, by --time and by Ctrl-C: it comes at once, the divergence stays
as a candidate, --resume confirms it before anything else, and then there is nothing left to do. And by --until-findings,
after a confirmation."""

import collections
import math
import os
import signal
import subprocess
import time

from common import JITPROBE, check, folder, jitprobe, last_json, unit

# Diverges always. The first two runs of a program (in the batch, then alone) are quick, those that confirm are not.
BACKEND = '''import os
import time


def compile(fn, **options):
    log, program = os.environ.get("COMPILED_LOG"), os.path.basename(fn.__code__.co_filename)
    if log:
        with open(log, "a+") as file:
            file.write(program + "\\n")
            file.seek(0)
            if file.read().split().count(program) > 2:
                time.sleep(float(os.environ["PAUSE"]))

    def compiled(*args, **kwargs):
        print("compiled")
        return fn(*args, **kwargs)

    return compiled
'''


class Campaign:
    def __init__(self, work, name, pause, tests=1, jobs=1, reduce=0):
        # pause: seconds that each compilation of a confirmation takes
        self.pause, self.tests, self.jobs, self.reduce = pause, tests, jobs, reduce
        self.folder, self.backend, self.log = f"{work}/{name}", f"{work}/backend.py", f"{work}/{name}.log"
        with open(self.backend, "w", encoding="utf-8") as file:
            file.write(BACKEND)

    def words(self, *more):
        return ["fuzz", "--known", "none", "--tests", str(self.tests), "--seed", "7", "--jobs", str(self.jobs), "--reduce", str(self.reduce),
                "--ops", "2", "--mutations-per-program", "0", "--backend", self.backend, "--campaign", self.folder, "--json",
                *more]

    def start(self, *more):
        return subprocess.Popen([str(JITPROBE), *self.words(*more)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=os.environ | {"JITPROBE_SANDBOX": "off", "COMPILED_LOG": self.log,
                                                             "PAUSE": str(self.pause)})

    def confirming(self):
        if not os.path.exists(self.log):
            return False
        with open(self.log, encoding="utf-8") as file:
            return max(collections.Counter(file.read().split()).values(), default=0) > 2

    def findings(self):
        answer = jitprobe("findings", "list", "--campaign", self.folder, "--json")
        check(answer.returncode == 0, answer.stderr)
        return [row["status"] for row in last_json(answer)]


def left_as_candidate(campaign, driver):
    out, err = driver.communicate(timeout=300)
    check(driver.returncode == 0, f"exit {driver.returncode}: {err}")
    result = last_json(subprocess.CompletedProcess([], 0, out, err))
    check(result["tests"] == 1 and result["divergences"] == 1, f"the divergence is not counted: {result}")
    check(result["findings"] == 0 and result["flaky"] == 0 and result["candidates"] == 1, f"no candidate: {result}")
    check(campaign.findings() == ["candidate"], f"kept as {campaign.findings()}")
    return result


def confirmed_by_resume(campaign):
    answer = jitprobe(*campaign.words("--resume"))
    result = last_json(answer)
    check(answer.returncode == 1 and result["findings"] == 1, f"--resume did not confirm: {result} {answer.stderr}")
    check(result["tests"] == 0 and result["candidates"] == 0, f"--resume ran more: {result}")
    check(campaign.findings() == ["confirmed"], f"kept as {campaign.findings()}")


def done_then(campaign):
    again = last_json(jitprobe(*campaign.words("--resume")))
    check(again["tests"] == again["findings"] == again["candidates"] == 0, f"a third start found more: {again}")


def by_time(work, second):
    # Two runs come before the confirmation, whose five pauses alone take longer than the campaign may.
    limit = math.ceil(6 * second)
    campaign = Campaign(work, "time", limit / 4)
    result = left_as_candidate(campaign, campaign.start("--time", f"{limit}s"))
    check(campaign.confirming(), "the end came before the confirmation")
    check(result["seconds"] < limit + second, f"--time {limit}s took {result['seconds']:.1f} s")
    return result["seconds"] - limit


def by_signal(work, second):
    campaign = Campaign(work, "signal", 20 * second)
    driver = campaign.start()
    while driver.poll() is None and not campaign.confirming():
        time.sleep(0.05)
    asked = time.monotonic()
    driver.send_signal(signal.SIGINT)
    left_as_candidate(campaign, driver)
    took = time.monotonic() - asked
    check(took < second, f"Ctrl-C took {took:.1f} s, as long as starting a process, {second:.1f} s")
    confirmed_by_resume(campaign)
    done_then(campaign)
    return took


def by_findings(work):
    campaign = Campaign(work, "findings", 0, tests=3)
    enough = ("--until-findings", "1")
    first = jitprobe(*campaign.words(*enough))
    result = last_json(first)
    check((first.returncode, result["tests"], result["findings"]) == (1, 1, 1), f"{result} {first.stderr}")
    check("enough is found: 1 new finding confirmed" in first.stderr, first.stderr)
    rest = last_json(jitprobe(*campaign.words(*enough, "--resume")))
    check((rest["tests"], rest["findings"]) == (2, 0), f"the same bug is no further finding: {rest}")
    # While others are in the middle of tests, and with reductions to their end.
    for name, jobs, more in (("jobs", 2, ()), ("processes", 1, ("--on", "processes:2", "--finish"))):
        campaign = Campaign(work, name, 0, tests=100000, jobs=jobs, reduce=1)
        answer = jitprobe(*campaign.words(*enough, *more))
        result = last_json(answer)
        check((answer.returncode, result["findings"], result["candidates"]) == (1, 1, 0), f"{name}: {result} {answer.stderr}")
        check(not more or result["unfinished"] == 0, f"{name}: the reduction isn't finished: {result}")


if __name__ == "__main__":
    with folder() as work_folder:
        one = unit()
        print(f"a start takes {one:.1f} s; after --time {by_time(work_folder, one):.1f} s more, after Ctrl-C "
              f"{by_signal(work_folder, one):.1f} s; nothing lost")
        by_findings(work_folder)
