"""Writes seedgen/constraints/only_ours.tsv: the constraints that only the generator has, as eager says.

    breaks_dump FIRST SEEDS 0 --every | only_ours.py              asks eager about every breach, and writes the table
    breaks_dump FIRST SEEDS 0 --every OPERATOR… | only_ours.py    the same for these operators; the other rows stay
    breaks_dump FIRST SEEDS 0 | only_ours.py --reasons            writes the reasons anew; what rows accept stays

Several dumps may follow one another on standard input: both those of ordinary draws and those with --tensors are needed.

For each operator, constraint and place of which eager accepts a breach, the words of the table (only_ours.h) are tried
alone and up to four together: those count that hold for everything that eager accepted, and for as little as possible of
what it refused. Where none do, the constraint is the generator's alone.

The reason of a dtype or a rank that eager accepts says whether it is drawn there too, in other calls, and whether
torch's operator database (seedgen/universe.tsv, by the functions that docs/complete.md names) has the dtype. With
--reasons eager is asked again about a few calls of each of them that a row takes in; a row to which no call comes, or
none that eager accepts, says so. Reasons that were edited by hand stay.
"""

import argparse
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
from check_complete import DTYPED_BY, functions_on_page, read_universe  # noqa: E402

TABLE = ROOT / "seedgen" / "constraints" / "only_ours.tsv"
HEAD = "# Written by scripts/only_ours.py, which docs/broken.md describes."
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
DRAWN_TOO = "drawn there too, in other calls: what goes together is the generator's own"
UNNAMED = "torch's operator database doesn't name the dtype, but torch takes it"
BROADCAST = "torch broadcasts it with the shape that is drawn"
UNREACHED = "of an earlier table: no call of those that were asked comes here"
REFUSED = "of an earlier table: eager refused the calls that were asked again"
REASONS_OF_OUT = {"dtype": "torch casts the result", "device": "torch makes the result where `out=` lies"}
OURS = {*REASONS.values(), *REASONS_OF_OUT.values(), DRAWN_TOO, UNNAMED, BROADCAST, UNREACHED, REFUSED}
# Constraints of a value that a call takes: such a breach says the dtype and the shape that were drawn at its place.
OF_INPUTS = {"tensor", "dtype", "rank", "size", "relation", "values", "gradients", "leaf", "overlap"}
# What of a breach is new at its place, and what was there.
NEW = {"dtype": lambda row: row["dtype"], "rank": lambda row: len(row["shape"])}
TAKEN = {"dtype": lambda row: row["from"], "rank": lambda row: len(row["taken"])}
DTYPE_WORDS = ["wider", "narrower", "alike", "near", "far"]
NUMBER_WORDS = ["zero", "minus1", "within", "beyond", "before", "more", "less", "near", "far"]
SHAPE_WORDS = ["broadcast", "higher", "lower", "larger", "smaller", "near", "far", "at0", "at1", "at2", "at3", "at4", "at-1", "at-2", "at-3"]
MOST_WORDS = 4
# How often eager must have refused something before the table says that it does.
ENOUGH = 10
# Of a list each item is a place: from so many on they have one row.
MANY_PLACES = 6
AT_ONCE = 20000  # programs that are read before they run
ASKED_AGAIN = 3  # of calls that differ in neither operator, constraint, place nor dtypes or ranks


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


def named_dtypes():
    """{operator: dtypes of its input that torch's database names}, of those whose input comes first."""
    universe = read_universe()
    found = {}
    for op, names in functions_on_page().items():
        functions = [name if name in universe else "torch." + name for name in names]
        dtypes = set().union(*(universe[name].dtypes for name in functions if name in universe))
        if dtypes and not any(name in DTYPED_BY for name in functions):
            found[op] = dtypes
    return found


def row_of(table, key):
    """The row that a breach comes to, as only_ours.h says."""
    op, constraint, place = key
    return next((row for row in (key, ("*", constraint, place), (op, constraint, "*"), ("*", constraint, "*")) if row in table), None)


class Draws:
    """What breaches show that is drawn, and what eager accepts in its place."""

    def __init__(self):
        self.taken = collections.defaultdict(set)     # by operator, place and constraint
        self.accepted = collections.defaultdict(set)  # by operator and constraint: places and what they took

    def saw(self, row):
        if row["constraint"] in OF_INPUTS:
            for constraint, taken in TAKEN.items():
                self.taken[row["op"], row["place"], constraint].add(taken(row))

    def taken_at(self, op, place, constraint):
        """Of an item of a long list what all its items have."""
        items = {at for name, at, its in self.taken if name == op and its == constraint and at.isdigit()}
        places = items if place in items and len(items) >= MANY_PLACES else {place}
        return set().union(*(self.taken[op, at, constraint] for at in places))

    def accepts(self, row):
        if row["constraint"] in NEW:
            self.accepted[row["op"], row["constraint"]].add((row["place"], NEW[row["constraint"]](row)))


def reason_of(table, key, draws, named):
    """Why the row is there."""
    op, constraint, place = key
    if place == "out":
        return REASONS_OF_OUT.get(constraint, REASONS[constraint])
    if constraint in ("rank", "size") and table[key][0] == "broadcast":
        return BROADCAST
    accepted = {(at, new) for at, new in draws.accepted[op, constraint] if row_of(table, (op, constraint, at)) == key}
    undrawn = {(at, new) for at, new in accepted if new not in draws.taken_at(op, at, constraint)}
    if accepted and not undrawn:
        return DRAWN_TOO
    if constraint == "dtype" and undrawn and op in named and all(at == "0" and new not in named[op] for at, new in undrawn):
        return UNNAMED
    return REASONS[constraint]


def asked(draws):
    """By operator, constraint and place: what eager accepted and what it refused."""
    answers = collections.defaultdict(lambda: ([], []))
    while lines := list(itertools.islice(sys.stdin, AT_ONCE)):
        rows = [json.loads(line) for line in lines]
        for row, (how, text) in zip(rows, outcomes(row["source"] for row in rows)):
            if how in ("crashed", "elsewhere"):
                print(f"{how}: {text}\n{row['source']}", file=sys.stderr)
            draws.saw(row)
            if how != "refused":
                draws.accepts(row)
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


def write(table):
    lines = ["\t".join(key + table[key]) for key in sorted(table)]
    TABLE.write_text("\n".join([HEAD, "\t".join(COLUMNS), *lines]) + "\n")


def rows_to_ask(lines, table, draws):
    """A few calls of each dtype and rank that the table takes in, and the rows that any call comes to."""
    few, come_to = collections.defaultdict(list), set()
    for row in map(json.loads, lines):
        draws.saw(row)
        if not row["only_ours"]:
            continue
        constraint = row["constraint"]
        key = row["op"], constraint, row["place"]
        come_to.add(row_of(table, key))
        if asks_about(key):
            alike = few[*key, NEW[constraint](row), TAKEN[constraint](row)]
            if len(alike) < ASKED_AGAIN:
                alike.append(row)
    return [row for alike in few.values() for row in alike], come_to


def asks_about(key):
    return key[1] in NEW and key[2] != "out"


def write_reasons(lines):
    """Asks eager again about the dtypes and ranks that it is said to accept, and says of each row why it is there."""
    table, draws, named = read_table(), Draws(), named_dtypes()
    rows, come_to = rows_to_ask(lines, table, draws)
    for row, (how, _) in zip(rows, outcomes(row["source"] for row in rows)):
        if how == "accepted":
            draws.accepts(row)
    accepted = {row_of(table, (*key, place)) for key, them in draws.accepted.items() for place, _ in them}
    for key, (words, reason) in table.items():
        if key[0] == "*" or words == "none" or reason not in OURS:
            continue
        gone = UNREACHED if key not in come_to else REFUSED if asks_about(key) and key not in accepted else ""
        table[key] = words, gone or reason_of(table, key, draws, named)
    write(table)
    for reason, count in collections.Counter(reason for _, reason in table.values()).most_common():
        print(f"{count:5} {reason}")
    print(f"{len(rows)} calls asked")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reasons", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if options.reasons:
        write_reasons(sys.stdin)
        return
    draws, named = Draws(), named_dtypes()
    answers = asked(draws)
    rows = {key: words_of(*answer, key[1]) for key, answer in answers.items()}
    operators = {key[0] for key in answers}
    old = read_table()
    table = {key: row for key, row in old.items() if key[0] not in operators} | DEFAULTS
    new = merged(rows)
    table |= {key: (words, "") for key, words in new.items()}
    for key, words in new.items():
        known = old.get(key)
        by_hand = known and known[0] == words and known[1] not in OURS
        table[key] = words, known[1] if by_hand else reason_of(table, key, draws, named)
    write(table)
    count = sum(len(answer[0]) + len(answer[1]) for answer in answers.values())
    print(f"{count} breaches of {len(operators)} operators, {len(table)} rows")


if __name__ == "__main__":
    main()
