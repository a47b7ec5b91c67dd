"""Findings of distinct causes are told apart, and programs of one cause are one finding: a few cases of bench/signatures,
given to a campaign as they are. All wrong values here stand in the output of one backend, so that nothing but where they
come from tells them apart."""

import argparse
import pathlib
import sys

from common import ROOT, check, folder

sys.path.insert(0, str(ROOT / "bench" / "signatures"))

import driver  # noqa: E402

# Wrong floats of the output, most of them, and a wrong structure twice.
CASES = ("softmax_wrong_dimension", "rolled_the_other_way", "vector_tail_lost", "triangle_below", "list_for_tuple",
         "none_for_empty_list")
# Of one cause: it makes two programs.
SEVERAL = "triangle_below"


def main():
    chosen = [case for case in driver.cases.every() if case.name in CASES]
    check(len(chosen) == len(CASES), "cases have gone")
    with folder() as work:
        programs = pathlib.Path(work) / "programs"
        programs.mkdir()
        count = driver.write_set(programs, chosen, 0)
        several = next(case for case in chosen if case.name == SEVERAL)
        (programs / f"{SEVERAL}_in_1.py").write_text(driver.planted(several, 1, pathlib.Path(work)))
        options = argparse.Namespace(jobs=1, reduce=25, time=None)
        driver.campaign(pathlib.Path(work) / "campaign", programs, count + 1, options)
        found, rows = driver.read(pathlib.Path(work) / "campaign")
        causes, merged, _, _ = driver.judged(found)
        check(len(causes) == len(CASES), f"{len(causes)} causes of {len(CASES)} diverged")
        check(not merged, f"merged: {merged}")
        # Reducing one of them may meet the fault in another dtype, which is a finding too.
        seen = driver.sightings(pathlib.Path(work) / "campaign")
        of_one = [set(seen[number]) for number, case, _, _ in found if case.name == SEVERAL]
        check(len(of_one) == 2 and of_one[0] & of_one[1], f"programs of one cause share no finding: {of_one}")
        for row in rows:
            symptom, colon, deed = row["title"].partition(": ")
            check(row["title"].startswith("[file:faulty.py] ") and colon and deed, f"a title that says little: {row}")
    print(f"{len(causes)} causes, {len(found)} programs")


if __name__ == "__main__":
    main()
