"""What a campaign prints at its start of known bugs: how many of them it has judged, and as what. Some of the corpus; all of it is
what `jitprobe recheck` is for."""

import pathlib
import re
import shutil

from common import ROOT, check, folder, jitprobe

PROGRAM = "def program():\n    return 1\n"
EVERY = 12


def corpus_in(work):
    """Every so many of the corpus' files; how many there are."""
    count = 0
    for part in ("known", "trophies"):
        (work / "corpus" / part).mkdir(parents=True)
        for path in sorted((ROOT / "corpus" / part).glob("*.py"))[::EVERY]:
            shutil.copy(path, work / "corpus" / part)
            count += 1
    return count


def main():
    with folder() as name:
        work = pathlib.Path(name)
        files = corpus_in(work)
        check(files > 3, f"the corpus has too little: {files}")
        (work / "program.py").write_text(PROGRAM)
        answer = jitprobe("fuzz", "--known", work / "corpus", "--from", work / "program.py", "--backend", "eager", "--tests", 1,
                          "--seed", 1, "--jobs", 2, "--mutations-per-program", 0, "--campaign", work / "campaign")
        check(answer.returncode == 0, f"exit {answer.returncode}: {answer.stdout}{answer.stderr}")
        told = re.search(r"^(\d+) known bugs: (\d+) here, (\d+) gone(?:, (\d+) can't be judged)?$", answer.stderr, re.M)
        check(told, f"nothing is said of known bugs: {answer.stderr}")
        every, *parts = (int(part or 0) for part in told.groups())
        check(every == files and sum(parts) == files, f"{files} files, and: {told[0]}")
    print(told[0])


if __name__ == "__main__":
    main()
