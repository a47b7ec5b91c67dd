"""./dev bench signatures [--only NAME,...] [--every N] [--several N] [--reduce N] [--jobs N] [--time T] [--keep FOLDER]

Measures whether findings are told apart: small programs of distinct causes (cases.py: the planted faults and the
labelled set) are given to one campaign as they are, under one compiler that has all of their faults, so that nothing but what a
finding shows says which is which. Beside them stand, for every few causes, several larger programs of one cause: its
statements planted in generated programs. Prints one JSON line a figure:

  signatures/causes   causes that the campaign saw diverge
  signatures/merged   share of them that have no finding (a bucket of `findings list`) of their own: a bucket belongs to
                      the cause of its first test
  signatures/split    of the causes with several programs, the share whose programs stand in several buckets
  signatures/further  findings that reductions met on their way, each another symptom of some cause: not counted above
  signatures/seconds  of the campaign, reductions included

and a table of what was merged and split. Exit status 1 when more than 5 % were merged or 15 % split.
"""

import argparse
import ast
import collections
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

import cases

ROOT = cases.ROOT
BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_MEASURED", BUILD / "app" / "jitprobe"))
HERE = pathlib.Path(__file__).resolve().parent
MERGED, SPLIT = 0.05, 0.15
# Written out with the folder's name in it, since reproducers hold a backend's text without its file.
FAULTY = '''"""A compiler with many faults, of which each program meets its own: COMPILE_OPTIONS = {{"case": NUMBER}} names
it, by a number that says nothing to who compares texts. Numbers that are no case compile with nothing broken."""

import functools
import importlib.util
import sys

import torch

sys.path.insert(0, {folder!r})

import cases


@functools.cache
def _backend(path):
    spec = importlib.util.spec_from_file_location("faulty_" + path.rpartition("/")[2][:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile(fn, case=0, **options):
    known = cases.by_number().get(case)
    if known is None:
        return torch.compile(fn, backend="aot_eager", **options)
    return _backend(known.backend).compile(fn, **known.options, **options)
'''
# Every so many causes has larger programs too.
EVERY = 4


def generated(seed, operators):
    answer = subprocess.run([JITPROBE, "generate", "--seed", str(seed), "--ops", str(operators), "--out", "-"],
                            capture_output=True, text=True, check=True)
    return answer.stdout


def sound(text, folder):
    """Whether torch itself does with a program what eager does: or its own bugs would be counted among the set's."""
    path = folder / "surrounding.py"
    path.write_text(text)
    return subprocess.run([JITPROBE, "run", path, "--backend", "aot_eager"], capture_output=True).returncode == 0


def planted(case, number, folder):
    """The case's statements in a generated program of a few operators."""
    sys.path.insert(0, str(cases.PLANTED))
    import merge

    seeds = (100 * case.number + number + 10 * again for again in range(10))
    surrounding = next(text for text in (generated(seed, 4 + 3 * number) for seed in seeds) if sound(text, folder))
    return merge.plant(surrounding, [case.source], seed=f"{case.name} {number}")


def plantable(case):
    """Whether its statements can stand in another program: what planting asks of a trigger (bench/planted/merge.py)."""
    functions = [node for node in ast.parse(case.source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    plain = [node.name for node in functions] == ["make_inputs", "program"]
    return plain and all(isinstance(node.body[-1], ast.Return) and
                         not any(isinstance(part, ast.Return) for step in node.body[:-1] for part in ast.walk(step))
                         for node in functions)


def write_set(folder, chosen, several):
    """The files of the set; how many there are."""
    for case in chosen:
        (folder / f"{case.name}.py").write_text(case.source)
    for case in [case for case in chosen if plantable(case)][::EVERY]:
        for number in range(1, several + 1):
            (folder / f"{case.name}_in_{number}.py").write_text(planted(case, number, folder.parent))
    return len(list(folder.glob("*.py")))


def campaign(folder, programs, count, options):
    backend = folder.parent / "faulty.py"
    backend.write_text(FAULTY.format(folder=str(HERE)))
    words = ["fuzz", "--from", programs, "--backend", backend, "--tests", count, "--mutations-per-program", 0,
             "--accept", "all", "--depth", 1, "--known", "none", "--seed", 1, "--jobs", options.jobs,
             "--reduce", options.reduce, "--campaign", folder, "--json", *(["--time", options.time] if options.time else [])]
    answer = subprocess.run([str(JITPROBE), *map(str, words)], capture_output=True, text=True,
                            env=os.environ | {"JITPROBE_READABLE": str(HERE.parent.parent)})
    if answer.returncode > 1:
        raise SystemExit(f"signatures: the campaign ended with {answer.returncode}: {answer.stderr[-2000:]}")
    return json.loads(answer.stdout.splitlines()[-1])


def own(findings, folder):
    """The finding of a test itself: of several that its reduction met others on the way, which have a file slip.json. Where
    an earlier test had met it so, the first in order."""
    met = [finding for finding in findings if (folder / "findings" / finding / "slip.json").exists()]
    return next(iter([finding for finding in findings if finding not in met] or met), "")


def sightings(folder):
    """By the number of a test: the findings that it showed, those included that its reduction met."""
    seen = collections.defaultdict(list)
    with sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True) as base:
        for test, finding in base.execute("select test, finding from sightings order by test, finding"):
            seen[test].append(finding)
    return seen


def read(folder):
    """For each test that diverged: its number, its case, and the bucket of its finding ("" for none)."""
    folder = pathlib.Path(folder)
    rows = json.loads(subprocess.run([str(JITPROBE), "findings", "list", "--campaign", folder, "--all", "--json"],
                                     capture_output=True, text=True, check=True).stdout)
    bucket = {row["id"]: row["bucket"] for row in rows}
    status = {row["id"]: row["status"] for row in rows}
    seen = sightings(folder)
    with sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True) as base:
        tests = base.execute("select number, program from tests where verdict = 'diverge' order by number").fetchall()
    found, had = [], set()
    for number, program in tests:
        if program in had:  # files whose eager run fails are left out, and the source starts again after the last one
            continue
        had.add(program)
        case = cases.by_number().get(cases.number_in(program.replace("\\n", "\n").replace('\\"', '"')))
        finding = own(seen[number], folder)
        if case:
            found.append((number, case, bucket.get(finding, ""), status.get(finding, "")))
    return found, rows


def judged(found):
    """(causes seen, those without a bucket of their own, causes of several programs, those in several buckets)"""
    owner, places, programs = {}, collections.defaultdict(set), collections.Counter()
    for _, case, bucket, _ in found:
        owner.setdefault(bucket, case.cause)
        places[case.cause].add(bucket)
        programs[case.cause] += 1
    owner.pop("", None)
    merged = {cause: owner.get(next(iter(places[cause])), "none") for cause in places if cause not in owner.values()}
    several = [cause for cause in places if programs[cause] > 1]
    split = [cause for cause in several if len(places[cause]) > 1]
    return list(places), merged, several, split


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of cases, comma-separated")
    parser.add_argument("--every", type=int, default=1, help="each so manieth case only")
    parser.add_argument("--time", help="the campaign's end, whatever is left then")
    parser.add_argument("--several", type=int, default=3, help="larger programs of a cause")
    parser.add_argument("--reduce", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="a folder where set and campaign stay")
    return parser.parse_args(words)


def measure(options, work):
    names = [name for name in options.only.split(",") if name]
    chosen = [case for case in cases.every() if not names or case.name in names][:: options.every]
    if len(chosen) < len(names):
        raise SystemExit(f"signatures: unknown case among {', '.join(names)}")
    programs = work / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    count = write_set(programs, chosen, options.several)
    began = time.monotonic()
    campaign(work / "campaign", programs, count, options)
    return count, *read(work / "campaign"), time.monotonic() - began


def main(words, figure):
    options = parse(words)
    with tempfile.TemporaryDirectory(prefix="jitprobe-signatures-") as scratch:
        count, found, rows, seconds = measure(options, pathlib.Path(options.keep or scratch))
    causes, merged, several, split = judged(found)
    for cause, into in sorted(merged.items()):
        print(f"merged: {cause} -> {into}")
    for cause in sorted(split):
        print(f"split: {cause}: {sorted({bucket for _, case, bucket, _ in found if case.cause == cause})}")
    confirmed = sum(row["status"] == "confirmed" for row in rows)
    figure("signatures/causes", len(causes), "1", programs=count, diverged=len(found), confirmed=confirmed)
    figure("signatures/merged", len(merged) / max(1, len(causes)), "1", count=len(merged))
    figure("signatures/split", len(split) / max(1, len(several)), "1", count=len(split), of=len(several))
    further = set(row["bucket"] for row in rows) - {bucket for _, _, bucket, _ in found}
    figure("signatures/further", len(further), "1")
    figure("signatures/seconds", seconds, "s")
    return 1 if len(merged) > MERGED * len(causes) or len(split) > SPLIT * len(several) else 0
