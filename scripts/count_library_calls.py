"""Writes corpus/harvest/library_calls.json: how often torch's operators are called by tests of the library and of packages
that use it.

    .venv/bin/python scripts/count_library_calls.py NAME=FOLDER…

Of the operator and the module database every sample of an entry in every dtype is a call. Each FOLDER is one that
`jitprobe harvest run --out FOLDER -- python -m pytest …` wrote of the tests of NAME; its counts of calls are added, equal
calls too. docs/harvesting.md has the commands. A NAME that the file already has replaces what it had; the others stay.
"""

import argparse
import collections
import json
import pathlib

import torch
from count_compiler_calls import ROOT, Database, dict_of

WHERE = ROOT / "corpus/harvest/library_calls.json"


def of_harvest(folder):
    told = json.loads((pathlib.Path(folder) / "instances.json").read_text(encoding="utf-8"))
    if told["source"] != "run":
        raise SystemExit(f"{folder} is no harvest of a run: the operator database is counted by this script itself")
    return told["counts"], told["torch"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harvests", nargs="*", metavar="NAME=FOLDER")
    sources = json.loads(WHERE.read_text(encoding="utf-8"))["sources"] if WHERE.exists() else {}
    database = Database()
    sources["operator database"] = {"torch": torch.__version__, "counts": dict_of(database.calls(None, {}))}
    sources["module database"] = {"torch": torch.__version__, "counts": dict_of(database.module_calls(None))}
    for word in parser.parse_args().harvests:
        name, _, folder = word.partition("=")
        counts, version = of_harvest(folder)
        sources[name] = {"torch": version, "counts": counts}
    whole = collections.Counter()
    for told in sources.values():
        told["counts"] = dict(sorted((+collections.Counter(told["counts"])).items()))
        told["calls"] = sum(told["counts"].values())
        whole.update(told["counts"])
    WHERE.parent.mkdir(exist_ok=True)
    WHERE.write_text(json.dumps({"by": "scripts/count_library_calls.py NAME=FOLDER…", "counts": dict(sorted(whole.items())),
                                 "sources": dict(sorted(sources.items()))}, indent=1) + "\n", encoding="utf-8")
    for name, told in sorted(sources.items()):
        print(f"{name}: {told['calls']} calls of {len(told['counts'])} operators")


if __name__ == "__main__":
    main()
