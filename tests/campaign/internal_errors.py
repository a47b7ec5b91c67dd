"""A broken invariant of ours costs its test and no more: it is journaled, counted and shown with the line that meets it
again; findings whose reduction breaks are shown all the same; three in a row end the campaign, and nothing is lost.

What decides tests can't be changed by --resume, a finished campaign runs nothing, and counts are those of the tests that
have ended, however the campaign was killed."""

import re
import shlex
import sqlite3
import subprocess

from common import JITPROBE, NO_COMPILER, ROOT, check, folder, jitprobe, kill_when, last_json

BACKEND = ROOT / "tests" / "campaign" / "backends" / "prints.py"


def fuzz(campaign, *more, broken="", tests=6, jobs=1, reduce=5):
    words = ["fuzz", "--known", "none", "--tests", tests, "--ops", 3, "--mutations-per-program", 0, "--seed", 11,
             "--jobs", jobs, "--reduce", reduce, "--backend", BACKEND, "--campaign", campaign, *more]
    return jitprobe(*words, env={"JITPROBE_BREAK": broken})


def rows(campaign, query):
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


def verdicts(campaign):
    return dict(rows(campaign, "select number, verdict from tests"))


def made(campaign):
    """Tests whose making was counted."""
    found = rows(campaign, "select value from counts where subject = 'seeds' and name = 'made'")
    return found[0][0] if found else 0


def replayed(line, broken=""):
    words = shlex.split(line)
    check(words[0] == "jitprobe", f"no line to run: {line}")
    return jitprobe(*words[1:], env={"JITPROBE_BREAK": broken})


def goes_on(work):
    """Tests that break in their making, in their judging or in a reduction; the finding of the last is shown all the same."""
    campaign = f"{work}/goes-on"
    broken = "make:1,judge:3,reduce:0"
    answer = fuzz(campaign, broken=broken)
    check(answer.returncode == 1 and "confirmed" in answer.stderr, f"a finding is lost: {answer.stderr[-2000:]}")
    check(rows(campaign, "select first_test from findings where status = 'confirmed' and first_test = 0"), "that of test 0 is lost")
    found = verdicts(campaign)
    check(len(found) == 6 and all(found.values()), f"not every test ended: {found}")
    check({number for number, verdict in found.items() if verdict == "internal_error"} == {0, 1, 3}, f"{found}")
    check("3 internal errors of jitprobe's own" in answer.stdout, answer.stdout)
    lines = re.findall(r"again with: (.*)", answer.stdout)
    check(sorted(line.rpartition(" --replay ")[2] for line in lines) == ["0", "1", "3"], answer.stdout)
    by_test = {line[-1]: line for line in lines}
    again = replayed(by_test["0"], broken)
    check(again.returncode == 2 and "test 0: internal_error" in again.stdout and "asked to break in reduce" in again.stdout,
          f"{again.stdout}{again.stderr}")
    good = replayed(by_test["3"])
    check(good.returncode in (0, 1) and "internal_error" not in good.stdout, f"{good.stdout}{good.stderr}")
    check(verdicts(campaign) == found, "a replay wrote into the campaign")
    check(made(campaign) == 4, f"counts of {made(campaign)} tests, not of the four that were made and judged")


def put_aside(work):
    """What breaks on the way to the end of a reduction leaves the finding as it is, and the next start goes on."""
    campaign = f"{work}/aside"
    answer = fuzz(campaign, "--finish", broken="aside:0", tests=2, jobs=2, reduce=1)
    check(answer.returncode == 1, f"the campaign broke off: {answer.stderr[-2000:]}")
    check("in a reduction that no test depends on: " in answer.stdout and "not fully reduced" in answer.stdout,
          answer.stdout)
    check(all(verdict != "internal_error" for verdict in verdicts(campaign).values()), "it cost a test")
    answer = fuzz(campaign, "--resume", "--finish", tests=2, reduce=1)
    check(answer.returncode == 0, answer.stderr[-2000:])
    check("not fully reduced" not in answer.stdout and "internal error" not in answer.stdout, answer.stdout)


def three_in_a_row(work):
    campaign = f"{work}/three"
    answer = fuzz(campaign, broken="make:1,judge:2,make:3")
    check(answer.returncode == 2 and "3 tests in a row" in answer.stderr, f"{answer.returncode}: {answer.stderr[-2000:]}")
    check(f"--campaign {campaign} --replay 3" in answer.stderr, answer.stderr)
    found = verdicts(campaign)
    check(found[0] and [found[i] for i in (1, 2, 3)] == ["internal_error"] * 3 and 4 not in found, f"{found}")
    answer = fuzz(campaign, "--resume")
    check(answer.returncode in (0, 1), answer.stderr[-2000:])
    after = verdicts(campaign)
    check(len(after) == 6 and all(after[i] == found[i] for i in range(4)), f"{found} became {after}")
    return campaign


def settings_stay(campaign):
    for words, named in ((("--backend", "aot_eager"), ("--backend:", "prints.py", "aot_eager")),
                         (("--seed", 12), ("--seed:", "11", "12")),
                         (("--oracle", "survives"), ("--oracle:", "eager_vs_compiled", "survives")),
                         (("--reduce", 7), ("--reduce:", "5", "7")),
                         (("--allow-known",), ("--allow-known:", "false", "true"))):
        answer = jitprobe("fuzz", "--campaign", campaign, "--resume", *words)
        check(answer.returncode == 2 and all(word in answer.stderr for word in named), f"{words}: {answer.stderr}")
        check("warm process" not in answer.stderr, "it was seen only after a start")
    for words in ((), ("--seed", 11, "--reduce", 5, "--backend", BACKEND)):
        answer = jitprobe("fuzz", "--campaign", campaign, "--resume", "--json", *words)
        check(answer.returncode == 0 and last_json(answer)["tests"] == 0, f"{answer.stdout}{answer.stderr}")
        check("is finished: its 6 tests have ended" in answer.stderr and "warm process" not in answer.stderr, answer.stderr)


def counts_of_a_killed_one(work):
    campaign = f"{work}/killed"
    words = ["fuzz", "--known", "none", "--tests", "16", "--seed", "5", "--jobs", "2", "--backend", "plain", *NO_COMPILER,
             "--campaign", campaign]
    driver = subprocess.Popen([JITPROBE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kill_when(driver, lambda: sum(bool(verdict) for verdict in verdicts(campaign).values()) >= 5)
    ended = sum(bool(verdict) for verdict in verdicts(campaign).values())
    check(made(campaign) == ended, f"{ended} tests have ended, the counts are of {made(campaign)}")
    answer = jitprobe("fuzz", "--campaign", campaign, "--resume")
    check(answer.returncode == 0, answer.stderr[-2000:])
    check(made(campaign) == 16, f"16 tests have ended, the counts are of {made(campaign)}")


def in_commands(work):
    answer = jitprobe("generate", "--count", 5, "--seed", 1, "--ops", 5, env={"JITPROBE_BREAK": "generate:3"})
    check(answer.returncode == 2 and answer.stderr.count("\n") == 1 and "internal error" in answer.stderr, answer.stderr)
    check(answer.stdout.count("def program") == 2, "what was made before is lost")


def main():
    with folder() as work:
        goes_on(work)
        put_aside(work)
        settings_stay(three_in_a_row(work))
        counts_of_a_killed_one(work)
        in_commands(work)
    print("broken tests cost themselves, settings stay, counts are of what has ended")


if __name__ == "__main__":
    main()
