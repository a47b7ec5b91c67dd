"""./dev soak judge goes on where it was stopped, and ends: a second start of a whole one makes no test."""

import pathlib
import sqlite3
import sys

from common import ROOT, check, folder

sys.path.insert(0, str(ROOT / "tests"))
import soak_judge  # noqa: E402

TESTS = 6


def written(campaign):
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        return sorted(database.execute("select number, sha256, verdict from tests"))


def main():
    with folder() as work:
        soak_judge.FOLDER = pathlib.Path(work)
        soak_judge.COUNTS = {"plain": TESTS}
        check(soak_judge.judge(3), "the first start has a report")
        [campaign] = soak_judge.FOLDER.iterdir()
        first = written(campaign)
        check(len(first) == TESTS, f"{len(first)} tests for {TESTS}")
        # A start that does not know how many tests there are to be would go on for ever: common.jitprobe waits so long.
        soak_judge.common.jitprobe = lambda *words, timeout=None, **more: ORIGINAL(*words, timeout=300, **more)
        check(soak_judge.judge(3), "the second start has a report")
        check(written(campaign) == first, "a whole soak ran more tests when it was started again")
        with sqlite3.connect(campaign / "campaign.db") as database:
            database.execute("update tests set verdict = 'unstable' where number = 2")
        check(not soak_judge.judge(3), "a report of an earlier start is forgotten")
    print("goes on, ends, forgets nothing")


ORIGINAL = soak_judge.common.jitprobe

if __name__ == "__main__":
    main()
