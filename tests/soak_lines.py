"""What is right stays right under all avoid lines of the corpus at once: a campaign takes a program that agrees under them for
one that shows known bugs alone, and reduces programs with some of them in front (docs/decisions/0017-all-avoid-lines.md)."""

import pathlib
import sys
import tempfile

from common import ROOT, check, jitprobe

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "corpus"))
from avoids import head_of, with_line  # noqa: E402

BACKEND = "aot_eager"


def all_lines():
    """The lines of code, each once; those that name a switch are no part of a program."""
    heads = (head_of(path.read_text()) for path in sorted((ROOT / "corpus").glob("*/*.py")))
    lines = dict.fromkeys(value for head in heads for key, value in head if key == "avoid" and not value.startswith("switch "))
    check(lines, "the corpus has no avoid line")
    return "\n".join(lines)


def status(text, folder):
    path = pathlib.Path(folder, "program.py")
    path.write_text(text)
    answer = jitprobe("run", path, "--backend", BACKEND)
    return answer.returncode, answer.stdout.partition("\n")[0]


def soak(first=0, count=200):
    """`count` generated programs of 20 operators, of which those that agree are judged again under all lines."""
    lines, wrong, judged = all_lines(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            text = jitprobe("generate", "--seed", seed, "--ops", 20, "--out", "-").stdout
            if status(text, folder)[0] != 0:
                continue
            judged += 1
            ended, said = status(with_line(text, lines), folder)
            if ended != 0:
                wrong += 1
                print(f"seed {seed}: exit {ended}: {said}", flush=True)
    print(f"{judged} of {count} programs agree without lines, {wrong} of these not under all", flush=True)
    return judged > 0 and wrong == 0
