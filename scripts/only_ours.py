"""Writes seedgen/constraints/only_ours.tsv: the constraints that only the generator has, as eager says.

    breaks_dump FIRST SEEDS 0 --every | only_ours.py              asks eager about every breach, and writes the table
    breaks_dump FIRST SEEDS 0 --every OPERATOR… | only_ours.py    the same for these operators; the other rows stay

Several dumps may follow one another on standard input: both those of ordinary draws and those with --tensors are needed.

For each operator, constraint and place of which eager accepts a breach, the words of the table (only_ours.h) are tried
alone and up to four together: those count that hold for everything that eager accepted, and for as little as possible of
what it refused. Where none do, the constraint is the generator's alone. Reasons that were edited by hand stay.
"""

import collections
import functools
import itertools
import json
import operator
import pathlib
import sys
import warnings

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "seedgen"))
from check_breaks import outcomes  # noqa: E402

TABLE = ROOT / "seedgen" / "constraints" / "only_ours.tsv"
HEAD = "# Written by scripts/only_ours.py, which docs/generating.md describes."
COLUMNS = ["operator", "constraint", "place", "accepts", "reason"]
# What holds of all operators that have no row of their own.
DEFAULTS = {
    ("*", "gradients", "*"): ("all", "the generator knows no derivative; torch gives none"),
    ("*", "values", "*"): ("all", "keeps results finite, exact or in range"),
    ("*", "dtype", "out"): ("wider alike", "torch casts the result"),
    ("*", "literal", "reduce"): ("all", "torch converts it"),
    ("*", "literal", "size_average"): ("all", "torch converts it"),
    ("*", "rank", "out"): ("all", "torch resizes it, with a warning"),
    ("*", "size", "out"): ("all", "torch resizes it, with a warning"),
}
REASONS = {
    "tensor": "a number may stand for the tensor",
    "dtype": "torch computes more dtypes than are drawn",
    "rank": "torch takes more ranks than are drawn",
    "size": "torch takes more sizes than are drawn",
    "relation": "torch casts what the generator doesn't combine",
    "values": "torch checks the others",
    "gradients": "torch checks the others",
    "leaf": "torch writes it: the result has no gradient",
    "overlap": "torch doesn't look for shared addresses here",
    "dim": "torch doesn't look at it when there is nothing to do",
    "other_dim": "torch takes a dimension twice",
    "literal": "torch or Python converts it",
    "choice": "torch doesn't look at it",
    "length": "another length makes another shape, which is valid",
    "range": "torch takes more numbers than are drawn",
    "device": "torch doesn't look at the device here",
}
REASONS_OF_OUT = {"dtype": "torch casts the result", "device": "torch makes the result where `out=` lies"}
DTYPE_WORDS = ["wider", "narrower", "alike", "near", "far"]
NUMBER_WORDS = ["zero", "minus1", "within", "beyond", "before", "more", "less", "near", "far"]
SHAPE_WORDS = ["broadcast", "higher", "lower", "larger", "smaller", "near", "far", "at0", "at1", "at2", "at3", "at4", "at-1", "at-2", "at-3"]
MOST_WORDS = 4
# How often eager must have refused something before the table says that it does.
ENOUGH = 10
# Of a list each item is a place: from so many on they have one row.
MANY_PLACES = 6
AT_ONCE = 20000  # programs that are read before they run


def broadcasts(one, other):
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(one), reversed(other)))


def changed_at(row, word):
    """Whether the only size that differs is this one, counted as Python does."""
    shape, taken = row["shape"], row["taken"]
    at = int(word.removeprefix("at"))
    if len(shape) != len(taken) or not -len(shape) <= at < len(shape):
        return False
    return [i for i, (a, b) in enumerate(zip(shape, taken)) if a != b] == [at % len(shape)]


def holds(word, row):
    shape, taken = row["shape"], row["taken"]
    same = len(shape) == len(taken)
    if word.startswith("at"):
        return changed_at(row, word)
    return {
        "near": lambda: not row["far"],
        "far": lambda: row["far"],
        "broadcast": lambda: broadcasts(shape, taken),
        "higher": lambda: len(shape) > len(taken),
        "lower": lambda: len(shape) < len(taken),
        "larger": lambda: same and all(a >= b for a, b in zip(shape, taken)),
        "smaller": lambda: same and all(a <= b for a, b in zip(shape, taken)),
        "wider": lambda: category(row["dtype"]) > category(row["from"]),
        "narrower": lambda: category(row["dtype"]) < category(row["from"]),
        "alike": lambda: category(row["dtype"]) == category(row["from"]),
        "zero": lambda: row["now"] == 0,
        "minus1": lambda: row["now"] == -1,
        "within": lambda: 0 <= row["now"] <= max(taken, default=0),
        "beyond": lambda: row["now"] > max(taken, default=0),
        "before": lambda: row["now"] < -max(taken, default=0),
        "more": lambda: row["now"] > row["was"],
        "less": lambda: row["now"] < row["was"],
    }.get(word, lambda: row["dtype"] == word)()


def bits_of(words, rows):
    """For each word one bit a row: whether it holds there."""
    return {word: sum(holds(word, row) << i for i, row in enumerate(rows)) for word in words}


def category(dtype):
    """Bool, integer, float, complex: torch casts a result upwards."""
    return next(i for i, name in enumerate(("bool", "int", "float", "complex")) if name in dtype)


def accepted_dtypes(accepted, refused):
    """Those that eager accepted, and others of their category that it has hardly been asked about."""
    seen = {row["dtype"] for row in accepted}
    asked = collections.Counter(row["dtype"] for row in refused)
    alike = {category(dtype) for dtype in seen}
    return sorted(seen | {dtype for dtype in asked if category(dtype) in alike and asked[dtype] < ENOUGH})


def best_words(possible, accepted, refused):
    """Of these words those that hold for all that was accepted and for the least that was refused, and how much they
    don't hold for; nothing where that is too little."""
    of_accepted, of_refused = bits_of(possible, accepted), bits_of(possible, refused)
    best, kept_most = [], min(ENOUGH, len(refused) // 2)
    for count in range(1, MOST_WORDS + 1):
        for words in itertools.combinations(possible, count):
            if functools.reduce(operator.or_, (of_accepted[word] for word in words)) != (1 << len(accepted)) - 1:
                continue
            kept = len(refused) - functools.reduce(operator.or_, (of_refused[word] for word in words)).bit_count()
            if kept > kept_most:
                best, kept_most = list(words), kept
    return best, kept_most if best else 0


def words_of(accepted, refused, constraint):
    """The words of the table for what was accepted; "none" or "all" where nothing else holds."""
    if not accepted:
        return "none"
    possible = {"rank": SHAPE_WORDS, "size": SHAPE_WORDS, "dtype": DTYPE_WORDS, "range": NUMBER_WORDS}
    words, kept = best_words(possible.get(constraint, ["near", "far"]), accepted, refused)
    if constraint == "dtype":
        dtypes = accepted_dtypes(accepted, refused)
        if sum(row["dtype"] not in dtypes for row in refused) > kept:
            words = dtypes
    return " ".join(words) or "all"


def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines():
        if not line.startswith("#") and not line.startswith(COLUMNS[0] + "\t"):
            op, constraint, place, accepts, reason = line.split("\t")
            rows[op, constraint, place] = accepts, reason
    return rows


def asked():
    """By operator, constraint and place: what eager accepted and what it refused."""
    answers = collections.defaultdict(lambda: ([], []))
    while lines := list(itertools.islice(sys.stdin, AT_ONCE)):
        rows = [json.loads(line) for line in lines]
        for row, (how, text) in zip(rows, outcomes(row["source"] for row in rows)):
            if how in ("crashed", "elsewhere"):
                print(f"{how}: {text}\n{row['source']}", file=sys.stderr)
            kept = {name: row[name] for name in ("far", "dtype", "from", "shape", "taken", "was", "now")}
            answers[row["op"], row["constraint"], row["place"]][how == "refused"].append(kept)
    return pooled(answers)


def pooled(answers):
    """With the items of a list as one place, where an operator has many of them."""
    items = collections.Counter(key[:2] for key in answers if key[2].isdigit())
    pools = collections.defaultdict(lambda: ([], []))
    for (op, constraint, place), answer in answers.items():
        key = op, constraint, "*" if place.isdigit() and items[op, constraint] >= MANY_PLACES else place
        for pool, rows in zip(pools[key], answer):
            pool.extend(rows)
    return pools


def default_of(constraint, place, places):
    """What a place has without a row of its own, beside the operator's rows of these places."""
    if ("*", constraint, place) in DEFAULTS and place != "*":
        return DEFAULTS["*", constraint, place][0]
    if place != "*" and "*" in places:
        return places["*"]
    return DEFAULTS.get(("*", constraint, "*"), ("none", ""))[0]


def merged(rows):
    """Rows of one operator and constraint that say the same become one, if they are all there are."""
    by_constraint = collections.defaultdict(dict)
    for (op, constraint, place), words in rows.items():
        by_constraint[op, constraint][place] = words
    table = {}
    for (op, constraint), places in by_constraint.items():
        own = {place: words for place, words in places.items() if ("*", constraint, place) not in DEFAULTS}
        if len(own) > 1 and len(set(own.values())) == 1:
            places = {place: words for place, words in places.items() if place not in own} | {"*": own.popitem()[1]}
        for place, words in places.items():
            if words != default_of(constraint, place, places):
                table[op, constraint, place] = words
    return table


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    answers = asked()
    rows = {key: words_of(*answer, key[1]) for key, answer in answers.items()}
    operators = {key[0] for key in answers}
    old = read_table()
    table = {key: row for key, row in old.items() if key[0] not in operators} | DEFAULTS
    for key, words in merged(rows).items():
        known = old.get(key)
        reason = REASONS_OF_OUT.get(key[1], REASONS[key[1]]) if key[2] == "out" else REASONS[key[1]]
        table[key] = words, known[1] if known and known[0] == words else reason
    lines = ["\t".join(key + table[key]) for key in sorted(table)]
    TABLE.write_text("\n".join([HEAD, "\t".join(COLUMNS), *lines]) + "\n")
    count = sum(len(answer[0]) + len(answer[1]) for answer in answers.values())
    print(f"{count} breaches of {len(operators)} operators, {len(lines)} rows")


if __name__ == "__main__":
    main()
