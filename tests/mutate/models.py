"""The sites that mutations have on the models of corpus/models: every mutation must find some, and zero_garbage nearly
everywhere.

    models.py MUTATE_FILTER [--seedgen SEEDGEN_DUMP --programs N]
        prints the number of sites by mutation and model; exits 1 when a mutation has sites on fewer than seven models; when
        zero_garbage or zero_garbage_here has none on more than a fifth of the statements of one `forward` that compute
        tensors, unless all of these are EXCEPTIONS; or when an exception has a site. Other methods are printed too. With
        generated programs: the share of them on which mutations of section B have sites.
"""

import argparse
import ast
import collections
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import exactness  # noqa: E402
from jitprobe_runtime.state import process as state  # noqa: E402
from properties import dumped  # noqa: E402
from walks import Eager  # noqa: E402

LEAST_MODELS = 7
LEAST_STATEMENTS = 0.8
EVERYWHERE = ("zero_garbage", "zero_garbage_here")
STATE = ("mutate_recover", "alias_write", "alias_read")


# Statements without a site in a `forward` of which more than a fifth have none: (model, statement) and why.
THIRD = "a third of a tensor has gaps: a sum with it has none, so that a view of the sum would lie otherwise"
EXCEPTIONS = {
    ("transformer_encoder", "q = q.view(batch, length, self.heads, -1).transpose(1, 2)"): THIRD,
    ("transformer_encoder", "k = k.view(batch, length, self.heads, -1).transpose(1, 2)"): THIRD,
    ("transformer_encoder", "v = v.view(batch, length, self.heads, -1).transpose(1, 2)"): THIRD,
    ("transformer_encoder", "scores = q @ k.transpose(-2, -1)"):
        "the operands have gaps (a sum would lie otherwise), and whether the result requires a gradient differs between layers",
}


def models():
    return sorted((HERE.parent.parent / "corpus" / "models").glob("*.py"))


def methods(source):
    """(its name with that of its class, {place: text} of its statements that compute) of each method."""
    for kind in ast.parse(source).body:
        if not isinstance(kind, ast.ClassDef):
            continue
        for method in kind.body:
            if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                yield f"{kind.name}.{method.name}", computing(method)


def computing(method):
    """{(line, column): text} of the statements that compute a value from a tensor: assignments and returns with a call or
    an operator."""
    return {(node.lineno, node.col_offset): ast.unparse(node) for node in ast.walk(method)
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) and node.value and computes(node.value)}


def computes(value):
    """A call or an operator, but not of sizes alone: `reversed(range(n))`, `width // 2`."""
    if isinstance(value, ast.IfExp):
        return computes(value.body) or computes(value.orelse)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("range", "reversed", "len"):
        return False
    return any(isinstance(node, (ast.Call, ast.BinOp)) for node in ast.walk(value))


def candidates(engine, eager, source):
    """The sites of a program, and its statements' places."""
    watched = engine.ask(load=source)["watched"]
    seen, facts = eager.run(source, watched)
    if "raised" in seen:
        return None, {}
    lines, columns = watched["places"][::2], watched["places"][1::2]
    return engine.ask(sites=facts)["sites"], dict(zip(watched["ids"].split(), zip(lines, columns)))


def census(engine, eager):
    """{mutation: {model: sites}}, and {mutation: {(model, method): (statements that compute, those without a site)}}, both
    {place: text}."""
    table = collections.defaultdict(collections.Counter)
    covered = collections.defaultdict(dict)
    for path in models():
        source = path.read_text(encoding="utf-8")
        sites, places = candidates(engine, eager, source)
        for mutation, *_ in sites:
            table[mutation][path.stem] += 1
        for mutation in EVERYWHERE:
            there = {places[statement] for name, _, statement, *_ in sites if name == mutation}
            for name, wanted in methods(source):
                missing = {place: text for place, text in wanted.items() if place not in there}
                covered[mutation][path.stem, name] = (wanted, missing)
    return table, covered


def show(names, table):
    """Prints the table; whether it is as it must be."""
    stems = [path.stem for path in models()]
    good = True
    print(f"{'':24}", *(stem[:11].rjust(11) for stem in stems))
    for name in names:
        row = [table[name][stem] for stem in stems]
        bad = sum(count > 0 for count in row) < LEAST_MODELS
        good = good and not bad
        print(f"{name:24}", *(str(count).rjust(11) for count in row), "BAD" if bad else "")
    return good


def show_methods(mutation, covered):
    """Prints the statements of each method; whether enough of each `forward` have a site."""
    good, used = True, set()
    for (model, method), (wanted, missing) in covered.items():
        listed = {text for text in missing.values() if (model, text) in EXCEPTIONS}
        used |= {(model, text) for text in listed}
        few = len(wanted) - len(missing) < LEAST_STATEMENTS * len(wanted)
        bad = few and method.endswith(".forward") and len(listed) < len(set(missing.values()))
        good = good and not bad
        print(f"{mutation} on {model} {method}: {len(wanted) - len(missing)} of {len(wanted)} statements", "BAD" if bad else "")
        for (line, _), text in sorted(missing.items()):
            print(f"    {line}: {text}:", EXCEPTIONS.get((model, text), "no site"))
    for model, text in EXCEPTIONS.keys() - used:
        print(f"BAD: {mutation} has a site on {text} of {model}, or there is no such statement: it is no exception")
    return good and used == EXCEPTIONS.keys()


def totals(mutation, covered):
    for stem in [path.stem for path in models()]:
        counted = [(len(wanted), len(missing)) for (model, _), (wanted, missing) in covered.items() if model == stem]
        every, without = map(sum, zip(*counted))
        print(f"{mutation} on {stem}: {every - without} of {every} statements")


def shares(engine, eager, options):
    """Prints on how many generated programs the mutations of section B have sites."""
    counts = collections.Counter()
    for _, source in dumped([options.seedgen, str(options.seed), str(options.programs), "12"]):
        sites, _ = candidates(engine, eager, source)
        if sites is not None:
            counts["all"] += 1
            counts.update({site[0] for site in sites} & set(STATE))
            counts.update({f"{site[0]} with path" for site in sites if site[0] in STATE and site[3]})
    for name, count in sorted(counts.items()):
        print(f"{name}: {count} of {counts['all']} generated programs ({count / counts['all']:.1%})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("filter")
    parser.add_argument("--seedgen")
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", type=lambda text: text.split(","), default=[])
    options = parser.parse_args()
    state.take_baseline()
    with tempfile.TemporaryDirectory() as folder:
        engine, eager = exactness.Filter(options.filter), Eager(pathlib.Path(folder))
        if options.programs:
            shares(engine, eager, options)
            return 0
        sources = HERE.parent.parent / "mutate" / "mutations"
        names = options.names or sorted(path.stem for path in sources.glob("*.cpp"))
        table, covered = census(engine, eager)
        good = show(names, table)
        for mutation in EVERYWHERE:
            totals(mutation, covered[mutation])
            good = show_methods(mutation, covered[mutation]) and good
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
