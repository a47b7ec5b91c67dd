"""The sites that mutations have on the models of corpus/models: every mutation must find some, and zero_garbage nearly
everywhere.

    models.py MUTATE_FILTER [--seedgen SEEDGEN_DUMP --programs N]
        prints the number of sites by mutation and model; exits 1 when a mutation has sites on fewer than seven models, or
        when zero_garbage or zero_garbage_here has none on more than a fifth of the statements of a model's methods that
        compute tensors. With generated programs: the share of them on which mutations of section B have sites.
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


def models():
    return sorted((HERE.parent.parent / "corpus" / "models").glob("*.py"))


def computing(source):
    """{(line, column)} of the statements of methods that compute a value from a tensor: assignments and returns with a
    call or an operator."""
    found = set()
    for kind in ast.walk(ast.parse(source)):
        if not isinstance(kind, ast.ClassDef):
            continue
        for method in kind.body:
            if not isinstance(method, ast.FunctionDef) or method.name == "__init__":
                continue
            for node in ast.walk(method):
                if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) and computes(node):
                    found.add((node.lineno, node.col_offset))
    return found


def computes(statement):
    """A call or an operator, but not of sizes alone: `reversed(range(n))`, `width // 2`."""
    value = statement.value
    if isinstance(value, ast.IfExp) or not value:
        return isinstance(value, ast.IfExp)
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
    """{mutation: {model: sites}}, {mutation: {model: (statements with sites, statements that compute, those without)}}"""
    table = collections.defaultdict(collections.Counter)
    covered = collections.defaultdict(dict)
    for path in models():
        source = path.read_text(encoding="utf-8")
        sites, places = candidates(engine, eager, source)
        wanted = computing(source)
        for mutation, *_ in sites:
            table[mutation][path.stem] += 1
        for mutation in EVERYWHERE:
            there = {places[statement] for name, _, statement, *_ in sites if name == mutation}
            covered[mutation][path.stem] = (len(wanted & there), len(wanted), sorted(wanted - there))
    return table, covered


def show(names, table, covered):
    """Prints the table; whether it is as it must be."""
    stems = [path.stem for path in models()]
    good = True
    print(f"{'':24}", *(stem[:11].rjust(11) for stem in stems))
    for name in names:
        row = [table[name][stem] for stem in stems]
        bad = sum(count > 0 for count in row) < LEAST_MODELS
        good = good and not bad
        print(f"{name:24}", *(str(count).rjust(11) for count in row), "BAD" if bad else "")
    for name in EVERYWHERE:
        for stem in stems:
            there, wanted, missing = covered[name][stem]
            bad = there < LEAST_STATEMENTS * wanted
            good = good and not bad
            print(f"{name} on {stem}: {there} of {wanted} statements; not on lines", *(line for line, _ in missing),
                  "BAD" if bad else "")
    return good


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
        return 0 if show(names, *census(engine, eager)) else 1


if __name__ == "__main__":
    sys.exit(main())
