"""What breaks_soak prints, against breaks_expected.tsv: what torch is known to do with calls that eager refuses.

A row is an operator and a constraint with its place and way, under one backend, whatever the dtypes and shapes: `answer`
is what breaks_soak calls it. An answer that has no row is new; a row whose calls were all refused is gone.
"""

import csv
import pathlib
import re

EXPECTED = pathlib.Path(__file__).resolve().parent / "breaks_expected.tsv"
# Of these, breaks_soak makes no difference.
REFUSED = ("refused alike", "refused with another class")
DIFFERENT = ("accepted", "compiler error", "crash", "hang or memory", "eager accepts", "undecided")
LINE = re.compile(rf"({'|'.join(REFUSED + DIFFERENT)}): broken (\S+) (\S+) (.*)")


def expected(backend, text=None):
    """{(operator, constraint): answer} of a backend."""
    lines = (EXPECTED.read_text(encoding="utf-8") if text is None else text).splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {(row["operator"], row["constraint"]): row["answer"] for row in rows if row["backend"] == backend}


def compared(known, lines, besides={}):
    """(lines that are new, rows of `known` that are gone, how many of its rows were not asked). `besides`: rows that are
    known too, and may be met or not."""
    new, refused, met = [], set(), set()
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        answer, call = match[1], (match[2], match[3])
        if answer in REFUSED:
            refused.add(call)
        elif answer in (known.get(call), besides.get(call)):
            met.add(call)
        else:
            new.append(line.rstrip())
    gone = sorted(refused & known.keys() - met)
    return new, gone, len(known.keys() - met - refused)


def holds(backend, lines):
    """Prints what is new and what is gone; whether nothing is new. Other backends may do what aot_eager does."""
    known = expected(backend)
    new, gone, unasked = compared(known, lines, expected("aot_eager"))
    for operator, constraint in gone:
        print(f"gone: {backend} refuses {operator} {constraint} now ({known[operator, constraint]} before): take out its row")
    for line in new:
        print(f"new: {backend} {line}")
    print(f"{backend}: {len(new)} new, {len(gone)} gone, {len(known)} rows, of which {unasked} were not asked")
    return not new
