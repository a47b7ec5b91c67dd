"""What a campaign prints at its start of the known bugs of the corpus. The other campaign tests come after this one: on a new
machine it is this start that judges the files, and theirs reuse what is kept."""

import pathlib
import re

from common import ROOT, check, folder, jitprobe

PROGRAM = "def program():\n    return 1\n"


def main():
    with folder() as work:
        (pathlib.Path(work) / "program.py").write_text(PROGRAM)
        answer = jitprobe("fuzz", "--from", f"{work}/program.py", "--backend", "eager", "--tests", 1, "--seed", 1, "--jobs", 2,
                          "--mutations-per-program", 0, "--campaign", f"{work}/campaign", timeout=1500)
        check(answer.returncode == 0, f"exit {answer.returncode}: {answer.stdout}{answer.stderr}")
        told = re.search(r"^(\d+) known bugs: (\d+) here, (\d+) gone(?:, (\d+) can't be judged)?$", answer.stderr, re.M)
        check(told, f"nothing is said of known bugs: {answer.stderr}")
        every, *parts = (int(part or 0) for part in told.groups())
        files = len(list((ROOT / "corpus" / "known").glob("*.py"))) + len(list((ROOT / "corpus" / "trophies").glob("*.py")))
        check(every == files and sum(parts) == files, f"{files} files, and: {told[0]}")
    print(told[0])


if __name__ == "__main__":
    main()
