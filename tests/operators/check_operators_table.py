"""Our columns of core/operators.tsv, row by row against eager torch.

    check_operators_table.py [--only NAME,...] [--suggest]

numerics      exact results are those of float64 without any rounding, rounded ones the nearest of their type
pieces        slices of the operands give the very bits of the result's slices, for every type that is said
spellings     function, method, keywords, torch.nn.functional, aten, module, in place and out= give the same bits
traits        pure and steady operators give new values, write nothing, draw nothing, and have the same bits on operands that
              lie elsewhere; what rejects gradients of the input or behind it does so, and nothing else does; what jumps is
              said to be discontinuous (jumps.py); what is unsaved may be overwritten before backward
families      what one member takes, some other member of it takes, and gives the same dtype and shape
result        new memory or a view, as it is said
in place      what has the form in place alone gives its input

Asked are the operator database's samples, and calls of scripts/operator_calls.py, which also says why some rows are not asked at all.

Exits 1 when a row does not hold; --suggest prints what was measured of numerics and pieces where nothing is said. What a rule
says of dtypes and shapes is asked in tests/mutate/tables.py, what is discontinuous in tests/mutate/guards.py.
"""

import argparse
import copy
import itertools
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
from gradient_checks import GradientChecks, clone  # noqa: E402
import jumps  # noqa: E402
from measures import KIND_OF, function_of, needed, numerics, pieces_differ, values, words  # noqa: E402
import operator_calls  # noqa: E402
import operator_samples as samples  # noqa: E402
import operator_table  # noqa: E402
import operators  # noqa: E402
import runtime_package  # noqa: E402

SAMPLES = 8


def elsewhere(value):
    """The same elements with the same strides, one element further on in another storage."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided or not value.numel():
        return type(value)(map(elsewhere, value)) if type(value) in (list, tuple) else value
    reach = 1 + sum((size - 1) * stride for size, stride in zip(value.shape, value.stride()))
    moved = torch.zeros(reach + 1, dtype=value.dtype).as_strided(value.shape, value.stride(), 1)
    if all(size <= 1 or stride for size, stride in zip(value.shape, value.stride())):
        moved.copy_(value.detach())
    else:
        moved = value.detach()
    return moved


class Checks(GradientChecks):
    def __init__(self, rows):
        self.rows = rows
        self.torch = operators.Torch()
        self.wrong = []
        self.asked = 0
        self.drawn = {}  # of the last row, by how many: making them takes longer than most questions
        self.drawn_row = None

    def blame(self, row, text):
        self.wrong.append(f"{row['name']}: {text}")

    def samples(self, row, most=SAMPLES):
        """(function, operands, keywords) of further calls and of the operator database, of the caller's own."""
        if self.drawn_row != row["name"]:
            self.drawn_row, self.drawn = row["name"], {}
        if most not in self.drawn:
            self.drawn[most] = list(self.made(row, most))
        try:
            copies = [(function, *copy.deepcopy((given, keywords))) for function, given, keywords in self.drawn[most]]
        except RuntimeError:  # a tensor that is no leaf can't be copied
            copies = self.made(row, most)
        yield from copies

    def made(self, row, most):
        for given, keywords in operator_calls.FURTHER.get(row["name"], []):
            yield function_of(row), clone(given), keywords
        entries, namespace = self.torch.entries(row["name"])
        for op in entries:
            dtypes = [one for one in (torch.float32, torch.int64, torch.complex64, torch.bool) if one in op.dtypes]
            for dtype in dtypes[:2]:
                torch.manual_seed(0)
                for sample in itertools.islice(op.sample_inputs("cpu", dtype), most):
                    given = [sample.input, *sample.args]
                    if row["name"] in samples.ORDERS:
                        given = [given[place] for place in samples.ORDERS[row["name"]]]
                    yield getattr(samples.NAMESPACES[namespace], row["name"], op.op), given, sample.kwargs

    def numerics(self, row):
        order = ["exact", "rounded", "loose"]
        measured = numerics(row)
        self.asked += 1
        if not measured:
            self.blame(row, "nothing was measured of its numerics")
        if measured and order.index(measured) > order.index(row["numerics"]):
            self.blame(row, f"numerics is said to be {row['numerics']}, and is {measured}")

    def pieces(self, row):
        found = {dtype: pieces_differ(row, dtype) for dtype in KIND_OF[row["pieces"]]}
        self.asked += len(found)
        if all(differs is None for differs in found.values()):
            self.blame(row, "eager takes none of the values that its pieces are asked with")
        for differs in filter(None, found.values()):
            self.blame(row, f"its pieces haven't the bits of the whole: {differs}")

    def traits(self, row):
        traits = words(row, "traits")
        plain = ("pointwise" in words(row, "tags") and row["result"] == "new" and row["returns"] == "one"
                 and "nondeterministic_seeded" not in words(row, "tags"))
        pure, steady = (plain and row["backward"] != "-") or "pure" in traits, plain or "steady" in traits
        if not pure and not steady:
            return
        for function, given, keywords in self.samples(row):
            chance = torch.get_rng_state()
            own = clone(given)
            made = samples.tried(function, own, keywords)
            if made is None:
                continue
            self.asked += 1
            what = f"on {[tuple(one.shape) if isinstance(one, torch.Tensor) else one for one in given]} {keywords}"
            if samples.bits(own) != samples.bits(given):
                self.blame(row, f"it writes an operand {what}")
            torch.set_rng_state(chance)
            if samples.bits(function(*clone(given), **keywords)) != samples.bits(made):
                self.blame(row, f"the second time it gives something else {what}")
            if steady and samples.storages(made) & samples.storages(own):
                self.blame(row, f"its result shares memory {what}")
            if steady and samples.bits(function(*elsewhere(given), **keywords)) != samples.bits(made):
                self.blame(row, f"on operands that lie elsewhere it gives something else {what}")

    def in_place(self, row):
        """Of what has this form alone."""
        if row["spellings"] != "-" or row["in_place"] == "-" or "inplace_view" in words(row, "tags"):
            return
        for given, keywords in operator_calls.FURTHER.get(row["name"], []):
            own = clone(given)
            self.asked += 1
            if samples.tried(getattr(torch.Tensor, row["name"] + "_"), own, keywords) is not own[0]:
                self.blame(row, "the form in place doesn't give its input")

    def discontinuous(self, row):
        # Memory that nobody wrote has any elements.
        found = None if "empty" in row["name"] else jumps.jumps(function_of(row), needed(row))
        if found is None or row["name"] in jumps.BY_EXPONENTS:
            return
        self.asked += 1
        said = "discontinuous" in words(row, "traits")
        if found and not said:
            self.blame(row, f"it isn't said to be discontinuous, and is: {found}")
        # Selections and sums of several elements may jump where these few operands don't show it.
        if said and not found and needed(row) == 1 and "pointwise" in words(row, "tags") and row["name"] not in jumps.UNSHOWN:
            self.blame(row, "it is said to be discontinuous, and no number shows it")

    def exactness(self):
        """What the runtime's noise leaves alone, because it doesn't round, the table says to be exact."""
        runtime_package.load()
        from jitprobe_runtime.controls import exactness
        for name in sorted(exactness._EXACT & set(self.rows)):
            self.asked += 1
            if self.rows[name]["numerics"] not in ("-", "exact"):
                self.blame(self.rows[name], f"pyrunner/runtime/controls/exactness.py takes it to be exact, and numerics is "
                                            f"{self.rows[name]['numerics']}")

    def aliases(self):
        """Names of one operator say the same of it."""
        for entries in self.torch.database.values():
            for op in entries:
                # Where a name has variants, its other names are those of one.
                for alias in [] if op.variant_test_name else op.aliases:
                    one, other = self.rows.get(op.name.split(".")[-1]), self.rows.get(alias.name.split(".")[-1])
                    if one and other and ("discontinuous" in words(one, "traits")) != ("discontinuous" in words(other, "traits")):
                        self.blame(one, f"it and its other name {other['name']} are not alike said to be discontinuous")

    def result(self, row):
        for function, given, keywords in self.samples(row):
            made = samples.tried(function, given, keywords)
            if made is None or not samples.storages(made):
                continue
            self.asked += 1
            shares = bool(samples.storages(made) & samples.storages(given))
            if (row["result"] == "new" and shares) or (row["result"] == "view" and not shares):
                self.blame(row, f"its result is said to be {row['result']}, and {'shares' if shares else 'is in new'} memory")
                return

    def spellings(self, row):
        """Every form in which the mutation `spelling` may write a call."""
        names = [name.rstrip("=") for name in itertools.takewhile(lambda word: word != "*", words(row, "parameters"))]
        if not names or names[0] != "input" or row["returns"] == "-" or "nondeterministic_seeded" in words(row, "tags"):
            return
        for function, given, keywords in self.samples(row):
            if keywords or len(given) > len(names) or not isinstance(given[0], torch.Tensor):
                continue
            made = samples.tried(function, clone(given), {})
            if made is None or given[0].layout != torch.strided:
                continue
            for way, call in spelled(row, names, given, made):
                self.asked += 1
                its = samples.tried(call, clone(given), {})
                if its is None or ("empty" not in row["name"] and samples.bits(its) != samples.bits(made)):
                    self.blame(row, f"{way} {'is refused' if its is None else 'gives other bits'} on "
                                    f"{[tuple(one.shape) if isinstance(one, torch.Tensor) else one for one in given]}")

    def families(self):
        members = {}
        for row in self.rows.values():
            for family in words(row, "families"):
                members.setdefault(family, []).append(row)
        for family, rows in members.items():
            if len(rows) < 2:
                self.wrong.append(f"family {family} has no other member than {rows[0]['name']}")
            namespace, count = family.split("/")[0] if "/" in family else "", int(family.rsplit(":", 1)[1])
            for row in rows:
                self.asked += 1
                if not any(self.alike(row, other, namespace, count) for other in rows if other is not row):
                    self.blame(row, f"no other member of {family} takes what it takes and gives a result of the same type and shape")

    @staticmethod
    def alike(row, other, namespace, count):
        for operands, dtype, arguments in itertools.product(range(min(count, 3), 0, -1), (torch.float32, torch.int64, torch.bool),
                                                            ("tensors", "axis", "sizes", "pool", "matrices")):
            tensors = [(values(dtype, 24, place) if dtype != torch.bool else values(dtype, 24, place)) for place in range(operands)]
            given = {"tensors": [one.reshape(2, 3, 4) for one in tensors], "axis": [tensors[0].reshape(2, 3, 4), 1],
                     "sizes": [(2, 3)], "pool": [tensors[0].reshape(2, 2, 3, 2), 1],
                     "matrices": [tensors[0].reshape(6, 4), tensors[0].reshape(4, 6)]}[arguments]
            one, its = called(row["name"], namespace, given), called(other["name"], namespace, given)
            if one is not None and kinds(one) == kinds(its):
                return True
        return False


def called(name, namespace, given):
    if namespace == "foreach":
        return samples.tried(getattr(torch, f"_foreach_{name}"), [[one] for one in given], {})
    place = {"functional": F, "special": torch.special}.get(namespace, torch)
    return samples.tried(getattr(place, name, None) or getattr(torch.Tensor, name), given, {})


def kinds(made):
    if isinstance(made, torch.Tensor):
        return made.dtype, made.shape
    return [kinds(one) for one in made] if isinstance(made, (list, tuple)) else None


def spelled(row, names, given, made):
    name, letters = row["name"], row["spellings"]
    one = isinstance(made, torch.Tensor)

    def keyed(function):
        return lambda *operands: function(**dict(zip(names, operands)))

    if "t" in letters:
        yield "torch.NAME", getattr(torch, name)
        yield "torch.NAME by keywords", keyed(getattr(torch, name))
    if "m" in letters:
        yield "the method", lambda *operands: getattr(operands[0], name)(*operands[1:])
        yield "the method by keywords", lambda *operands: getattr(operands[0], name)(**dict(zip(names[1:], operands[1:])))
    if "f" in letters:
        yield "torch.nn.functional.NAME", getattr(F, name)
        yield "torch.nn.functional.NAME by keywords", keyed(getattr(F, name))
    if row["aten"] != "-":
        yield "torch.ops.aten.NAME", getattr(torch.ops.aten, name)
    if row["module"] != "-":
        made_by = getattr(torch.nn, row["module"])
        yield "the module", lambda *operands: made_by(**dict(zip(names[1:], operands[1:])))(operands[0])
    like = one and made.layout == torch.strided and made.dtype == given[0].dtype and made.shape == given[0].shape and made.stride() == given[0].stride()
    if "m" in row["in_place"] and like and "inplace_view" not in words(row, "tags"):
        yield "the form in place", lambda *operands: getattr(operands[0].clone(), name + "_")(*operands[1:])
    if "t" in row["out"] and one:
        yield "out=", lambda *operands: getattr(torch, name)(*operands, out=torch.empty_strided(made.shape, made.stride(), dtype=made.dtype))


def suggest(rows):
    for row in rows.values():
        if "pointwise" not in words(row, "tags") or row["returns"] != "one" or row["result"] != "new":
            continue
        found = {dtype: pieces_differ(row, dtype) for dtype in KIND_OF["all"]}
        integers = [found[dtype] for dtype in KIND_OF["integers"] if found[dtype] is not None]
        floats = [found[dtype] for dtype in KIND_OF["all"][6:] if found[dtype] is not None]
        pieces = "-" if any(integers) else "integers" if any(floats) else "all" if floats or integers else "?"
        print("\t".join([row["name"], numerics(row) or "-", pieces, row["pieces"]]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--suggest", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rows, _ = operator_table.read_table(operator_table.TABLE)
    if options.suggest:
        suggest(rows)
        return 0
    checks = Checks(rows)
    unasked = 0
    for row in rows.values():
        if options.only and row["name"] not in options.only:
            continue
        before = checks.asked
        if row["numerics"] != "-":
            checks.numerics(row)
        if row["pieces"] != "-":
            checks.pieces(row)
        checks.traits(row)
        checks.unsaved(row)
        checks.gradients(row)
        checks.gradients_in_place(row)
        checks.result(row)
        checks.spellings(row)
        checks.in_place(row)
        checks.discontinuous(row)
        why = operator_calls.why_unasked(row["name"])
        unasked += checks.asked == before
        if (checks.asked == before) != bool(why):
            checks.blame(row, f"scripts/operator_calls.py says why it can't be asked ({why}), and it was" if why else "nothing was asked of it")
    if not options.only:
        checks.families()
        checks.aliases()
        checks.exactness()
    print("\n".join(checks.wrong))
    print(f"{len(rows)} rows, {unasked} of them unasked, {checks.asked} questions; {len(checks.wrong)} are wrong")
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
