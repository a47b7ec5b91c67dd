"""Writes seedgen/constraints/only_ours.tsv: the constraints that only the generator has, as eager says.

    breaks_dump FIRST SEEDS 0 --every | only_ours.py              asks eager about every breach, and writes the table
    breaks_dump FIRST SEEDS 0 --every OPERATOR… | only_ours.py    the same for these operators; the other rows stay

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
from check_breaks import outcome  # noqa: E402

TABLE = ROOT / "seedgen" / "constraints" / "only_ours.tsv"
HEAD = "# Written by scripts/only_ours.py, which docs/generating.md describes."
COLUMNS = ["operator", "constraint", "place", "accepts", "reason"]
# What holds of all operators that have no row of their own.
DEFAULTS = {
    ("*", "gradients", "*"): ("all", "the generator knows no derivative; torch gives none"),
    ("*", "values", "*"): ("all", "keeps results finite, exact or in range"),
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
}
SHAPE_WORDS = ["broadcast", "higher", "lower", "larger", "smaller", "near", "far", "at0", "at1", "at2", "at3", "at4", "at-1", "at-2", "at-3"]
MOST_WORDS = 4
# How often eager must have refused something before the table says that it does.
ENOUGH = 10
# Of a list each item is a place: from so many on they have one row.
MANY_PLACES = 6


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
    }.get(word, lambda: row["dtype"] == word)()


def bits_of(words, rows):
    """For each word one bit a row: whether it holds there."""
    return {word: sum(holds(word, row) << i for i, row in enumerate(rows)) for word in words}


def category(dtype):
    return "".join(letter for letter in dtype.removeprefix("u").removeprefix("b") if letter.isalpha())


def accepted_dtypes(accepted, refused):
    """Those that eager accepted, and others of their category that it has hardly been asked about."""
    seen = {row["dtype"] for row in accepted}
    asked = collections.Counter(row["dtype"] for row in refused)
    alike = {category(dtype) for dtype in seen}
    return sorted(seen | {dtype for dtype in asked if category(dtype) in alike and asked[dtype] < ENOUGH})


def words_of(accepted, refused, constraint):
    """The words of the table for what was accepted; "none" or "all" where nothing else holds."""
    if not accepted:
        return "none"
    if constraint == "dtype":
        words = accepted_dtypes(accepted, refused)
        return " ".join(words) if any(row["dtype"] not in words for row in refused) else "all"
    possible = SHAPE_WORDS if constraint in ("rank", "size") else ["near", "far"]
    of_accepted, of_refused = bits_of(possible, accepted), bits_of(possible, refused)
    best, kept_most = ["all"], min(ENOUGH, len(refused) // 2)
    for count in range(1, MOST_WORDS + 1):
        for words in itertools.combinations(possible, count):
            if functools.reduce(operator.or_, (of_accepted[word] for word in words)) != (1 << len(accepted)) - 1:
                continue
            kept = len(refused) - functools.reduce(operator.or_, (of_refused[word] for word in words)).bit_count()
            if kept > kept_most:
                best, kept_most = list(words), kept
    return " ".join(best)


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
    for row in map(json.loads, sys.stdin):
        refused = outcome(row.pop("source"))[0] == "refused"
        answers[row["op"], row["constraint"], row["place"]][refused].append(row)
    return pooled(answers)


def pooled(answers):
    """With the places of an operator that has many of them as one."""
    places = collections.Counter(key[:2] for key in answers)
    pools = collections.defaultdict(lambda: ([], []))
    for (op, constraint, place), answer in answers.items():
        key = op, constraint, "*" if places[op, constraint] >= MANY_PLACES else place
        for pool, rows in zip(pools[key], answer):
            pool.extend(rows)
    return pools


def merged(rows):
    """Rows of one operator and constraint that say the same become one, if they are all there are."""
    by_constraint = collections.defaultdict(dict)
    for (op, constraint, place), words in rows.items():
        by_constraint[op, constraint][place] = words
    table = {}
    for (op, constraint), places in by_constraint.items():
        one = len(set(places.values())) == 1
        default = "all" if ("*", constraint, "*") in DEFAULTS else "none"
        for place, words in [("*", next(iter(places.values())))] if one else places.items():
            if words != default:
                table[op, constraint, str(place)] = words
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
        table[key] = words, known[1] if known and known[0] == words else REASONS[key[1]]
    lines = ["\t".join(key + table[key]) for key in sorted(table)]
    TABLE.write_text("\n".join([HEAD, "\t".join(COLUMNS), *lines]) + "\n")
    print(f"{sum(len(answer[0]) + len(answer[1]) for answer in answers.values())} breaches of {len(operators)} operators, {len(lines)} rows")


if __name__ == "__main__":
    main()
