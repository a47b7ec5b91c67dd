"""A torch without some functions: it is asked, programs leave them out, and settings and lineages say so."""

import json
import pathlib
import shutil
import sqlite3

from common import NO_COMPILER, ROOT, check, folder, jitprobe, last_json
from start_probes import python

LACKS = ["torch.cholesky", "torch.qr"]
WARM = "    torch.set_num_threads(1)\n    warm.imports()\n"
REMOVED = """    def removed(*arguments, **keywords):
        raise RuntimeError("removed")

    torch.cholesky = torch.qr = removed
"""


def torch_without(work):
    """The environment of a worker whose torch pretends to have lost two functions."""
    shutil.copytree(ROOT / "pyrunner", work / "root" / "pyrunner")
    shutil.copytree(ROOT / "corpus", work / "root" / "corpus")
    serve = work / "root" / "pyrunner" / "runtime" / "serve.py"
    text = serve.read_text()
    check(text.count(WARM) == 1, "another start")
    serve.write_text(text.replace(WARM, REMOVED + WARM))
    return {"JITPROBE_CACHE": str(work / "cache"), "JITPROBE_ROOT": str(work / "root"), "JITPROBE_PYTHON": python()}


def settings(campaign):
    with sqlite3.connect(campaign / "campaign.db") as store:
        return json.loads(store.execute("SELECT text FROM settings").fetchone()[0])


def fuzz(work, name, environment, *words):
    campaign = work / name
    answer = jitprobe("fuzz", "--campaign", campaign, "--backend", "plain", *NO_COMPILER, "--seed", 3, "--known", "none", "--json",
                      *words, env=environment)
    check(answer.returncode == 0, f"fuzz: {answer.returncode} {answer.stderr[-2000:]}")
    return campaign, json.loads(answer.stdout.strip().splitlines()[-1])


def lacks(environment):
    """What doctor says that the torch lacks."""
    return last_json(jitprobe("doctor", "--backend", "plain", "--json", env=environment))["lacks"]


def asked(work):
    own_environment, environment = {"JITPROBE_CACHE": str(work / "other")}, torch_without(work)
    own = lacks(own_environment)
    expected = sorted({*own, *LACKS})
    told = lacks(environment)
    check(told == expected, f"{told}, not {expected}")
    # Of seeds as they are, so many that some would have had the two functions.
    campaign, ended = fuzz(work, "lacking", environment, "--tests", 60, "--ops", 20, "--mutations-per-program", 0)
    check(settings(campaign)["without"] == expected, settings(campaign))
    check(ended["rejected"] == 0, ended)
    whole, ended = fuzz(work, "whole", own_environment, "--tests", 1)
    check(settings(whole)["without"] == own and ended["rejected"] == 0, settings(whole))


def told_again():
    """The same seed and the same list give the same program without any torch."""
    words = ("generate", "--seed", 5000, "--count", 300, "--json")
    plain = json.loads(jitprobe(*words).stdout)
    lacking = json.loads(jitprobe(*words, "--without", ",".join(LACKS)).stdout)
    had = [row for row in plain if any(name + "(" in row["source"] for name in LACKS)]
    check(had, "no program has one of the functions: the test shows nothing")
    check(not any(name + "(" in row["source"] for name in LACKS for row in lacking), "a missing function is called")
    check(all(row["without"] == LACKS for row in lacking), lacking[0])


if __name__ == "__main__":
    told_again()
    with folder() as name:
        asked(pathlib.Path(name))
