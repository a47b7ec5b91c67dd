"""What a disk, or somebody with kill -9, may do to a campaign, each of which ends with the rows of one that was left alone:

writes  [--first N] [--count N]: each call of the driver that changes a file of the campaign fails in turn, as on a full disk,
        and in every second round all later ones fail, too; then it is resumed. The driver ends with status 2 and one sentence
        that says what is wrong, or goes on; it never crashes. --count: how many of the calls, evenly spread (all)
kills   [--count N]: one campaign is killed N times (100) with kill -9, most of them while a test is under way, at moments drawn
        by --first, and resumed; what was under way has its verdict in the end, with the same program

The compiler under test is soak/faulty.py: eager with planted faults."""

import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time

import common
from common import JITPROBE
from tables import same_tables

HERE = pathlib.Path(__file__).resolve().parent
WORDS = ["--backend", HERE / "soak" / "faulty.py", "--ops", 8, "--seed", 5, "--jobs", 1, "--known", "none", "--no-finish"]
SHORT = [*WORDS, "--epoch", 8, "--tests", 16, "--reduce", 2]
TESTS = 400
LONG = [*WORDS, "--epoch", 50, "--tests", TESTS, "--reduce", 10]
PATIENCE = 600  # seconds


def started(folder, words, env=None):
    return common.jitprobe("fuzz", *words, "--campaign", folder, env=env, timeout=PATIENCE)


def resume_of(folder):
    return ["--resume"] if pathlib.Path(folder, "campaign.db").exists() else []


def has_rows_of(straight, folder, what):
    """Prints what is unlike."""
    try:
        same_tables(straight, folder, what)
    except SystemExit:
        return False
    return True


def failing(work, number, at):
    return {"LD_PRELOAD": str(JITPROBE.parent.parent / "tests" / "libfailing_writes.so"), "JITPROBE_FAIL_BELOW": f"{work}/failing",
            "JITPROBE_FAIL_LOG": f"{work}/calls-{number}", "JITPROBE_FAIL_AT": str(at),
            **({"JITPROBE_FAIL_ON": "1"} if number % 2 else {})}


def calls_of(log):
    path = pathlib.Path(log)
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def survives(work, number, at):
    """What is wrong with a campaign one of whose calls fails."""
    folder = f"{work}/failing"
    shutil.rmtree(folder, ignore_errors=True)
    answer = started(folder, SHORT, failing(work, number, at))
    calls = calls_of(f"{work}/calls-{number}")
    call = calls[at - 1] if len(calls) >= at else f"call {at}, which was not reached"
    said = answer.stderr.strip().splitlines()[-1:] or [""]
    if answer.returncode not in (0, 1, 2):
        return f"{call}: exit {answer.returncode}: {answer.stderr[-500:]}"
    if len(calls) < at:
        return call
    if answer.returncode == 2 and not said[0].startswith("jitprobe: "):
        return f"{call}: its last line is no sentence of jitprobe's: {said[0]}"
    print(f"{call}: exit {answer.returncode}{': ' + said[0][:200] if answer.returncode == 2 else ''}", flush=True)
    again = started(folder, [*SHORT, *resume_of(folder)])
    if again.returncode == 2 and not begun_tests(folder):
        shutil.rmtree(folder, ignore_errors=True)  # nothing was in it yet
        again = started(folder, SHORT)
    if again.returncode not in (0, 1):
        return f"{call}: it can't go on: {again.stderr[-500:]}"
    return "" if has_rows_of(f"{work}/straight", folder, call) else f"{call}: other rows"


def writes(first=0, count=0):
    with common.folder() as work:
        answer = started(f"{work}/straight", SHORT)
        common.check(answer.returncode == 1, answer.stderr[-2000:])
        answer = started(f"{work}/failing", SHORT, failing(work, 0, 0))
        common.check(answer.returncode == 1, answer.stderr[-2000:])
        total = len(calls_of(f"{work}/calls-0"))
        common.check(total > 0, "no call was counted")
        # Not all campaigns make as many calls: times are written as often as time passes.
        reached = total * 19 // 20
        chosen = range(1 + first, reached + 1, max(1, reached // count) if count else 1)
        print(f"{total} calls, of which {len(chosen)} fail", flush=True)
        wrong = 0
        for number, at in enumerate(chosen):
            if problem := survives(work, number, at):
                wrong += 1
                print(problem, flush=True)
        if not wrong:
            print("each time the rows of a campaign that was left alone", flush=True)
        return not wrong


def begun_tests(folder):
    """Tests that the campaign has begun: their program is known, whatever happens."""
    try:
        with sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True, timeout=60) as database:
            return {number: (sha, verdict) for number, sha, verdict in
                    database.execute("select number, sha256, verdict from tests")}
    except sqlite3.OperationalError:  # there is none, or it has no tables yet; a damaged one is another error
        return {}


def under_way(rows):
    """{number: hash of the program} of the tests that have begun and not ended."""
    return {number: sha for number, (sha, verdict) in rows.items() if not verdict}


def killed_once(folder, draw, within, mean):
    """Whether the driver was killed, by kill -9, before it ended; `within`: while a test is under way that has begun since
    it started, else at any moment of its start or after it. `mean`: seconds of that moment, drawn evenly up to twice as many."""
    before = under_way(begun_tests(folder))
    driver = subprocess.Popen([str(JITPROBE), "fuzz", *map(str, LONG), "--campaign", folder, *resume_of(folder)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while within and driver.poll() is None and not under_way(begun_tests(folder)).keys() - before.keys():
        time.sleep(0.005)
    end = time.monotonic() + draw.uniform(0, 2 * mean)
    while driver.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    if driver.poll() is not None:
        common.check(driver.returncode in (0, 1), f"exit {driver.returncode}: {driver.stderr.read()[-2000:]}")
        return False
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    return True


def kills(first=1, count=100):
    draw = random.Random(first)
    with common.folder() as work:
        begun = time.monotonic()
        answer = started(f"{work}/straight", LONG)
        common.check(answer.returncode == 1, answer.stderr[-2000:])
        took, folder = time.monotonic() - begun, f"{work}/killed"
        in_flight, killed, before, programs = 0, 0, {}, {}
        # Four of five within a test, in the time that one takes; the others at any moment of a start and what follows.
        while killed < count:
            within = draw.random() < 0.8
            if not killed_once(folder, draw, within, took / TESTS / 2 if within else took / count + 3):
                break
            killed += 1
            after = begun_tests(folder)
            lost = {number for number, row in before.items() if row[1] and after.get(number) != row}
            common.check(not lost, f"kill {killed}: tests lost their verdict: {sorted(lost)}")
            in_flight += bool(under_way(after))
            programs |= under_way(after)
            before = after
        answer = started(folder, [*LONG, "--resume"])
        common.check(answer.returncode in (0, 1), answer.stderr[-2000:])
        ended = begun_tests(folder)
        other = [number for number, sha in programs.items() if ended[number][0] != sha or not ended[number][1]]
        common.check(not other, f"tests that were under way have no verdict, or another program: {other}")
        print(f"killed {killed} times, {in_flight} times within a test; all of their {len(programs)} programs have a verdict",
              flush=True)
        common.check(in_flight >= killed / 2, "too few of the kills lay within a test")
        return killed >= count and has_rows_of(f"{work}/straight", folder, "killed")
