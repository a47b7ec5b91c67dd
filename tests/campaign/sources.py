"""Where seeds come from: tables, models and files of the user's, in order and in turn, the same when resumed."""

import hashlib
import json
import pathlib
import signal
import sqlite3
import subprocess
import time

from common import JITPROBE, ROOT, check, folder, jitprobe, last_json
from fleet import runs, tree_below

GOOD = """import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    y = torch.relu(x)
    z = y + {}
    return z * y
"""
# Files that are no programs, and a word of what is said of each.
NOT_RUN = {
    "c.py": ("x = 1\n", "program"),
    "d.py": ("def program(:\n", "does not parse"),
    "e.py": (GOOD.format("x[7]"), "eager"),
    "list.py": (GOOD.format(1).replace("return (torch", "return [torch").replace("3),)", "3)]"), "tuple"),
    "inputs.py": (GOOD.format(1).replace("return (torch", "raise KeyError('k')\n    return (torch"), "make_inputs"),
    "observe.py": (GOOD.format(1) + "\n\ndef observe():\n    raise KeyError('k')\n", "observe"),
    "before.py": (GOOD.format(1) + "\n\ndef before_call(i):\n    raise KeyError('k')\n", "before_call"),
}


def fuzz(work, name, *words, status=0):
    answer = jitprobe("fuzz", "--known", "none",
                      "--backend", "plain", "--jobs", 1, "--seed", 3, "--campaign", f"{work}/{name}", "--json",
                      *words, cwd=work)
    check(answer.returncode == status, f"{name}: exit {answer.returncode}: {answer.stdout}{answer.stderr}")
    return answer


def rows(work, name):
    """By test: the hash of its program and the verdict."""
    with sqlite3.connect(f"file:{work}/{name}/campaign.db?mode=ro", uri=True) as database:
        return {number: (sha, verdict) for number, sha, verdict in
                database.execute("select number, sha256, verdict from tests")}


def undone(work, name):
    """Mutations that broke their promise in eager."""
    with sqlite3.connect(f"file:{work}/{name}/campaign.db?mode=ro", uri=True) as database:
        return sum(value for (value,) in database.execute("select value from counts where name = 'undone'"))


def clean(result, what):
    check(not any(result[key] for key in ("divergences", "findings", "rejected", "unstable")), f"{what}: {result}")


def cells(table, first, count):
    answer = jitprobe("generate", "--from", f"tables:{table}", "--seed", first, "--count", count, "--json")
    return [row["sha256"] for row in json.loads(answer.stdout)]


def tables(work):
    known = json.loads(jitprobe("list", "tables", "--json").stdout)
    check(all(row["programs"] > 0 and row["varies"] for row in known), known)
    result = last_json(fuzz(work, "tables", "--from", "tables:exceptions,generated", "--tests", 12))
    clean(result, "tables")
    size = next(row["programs"] for row in known if row["id"] == "exceptions")
    check(result["seeds"] == [{"from": "tables:exceptions", "size": size, "run": 6},
                              {"from": "generated", "size": None, "run": 6}], result["seeds"])
    made = rows(work, "tables")
    check([made[number][0] for number in range(0, 12, 2)] == cells("exceptions", 0, 6), "not the cells in their order")


def resumed(work):
    """A campaign in two parts is the same as in one, from the same seed sources."""
    source = f"{work}/resumed.py"
    with open(source, "w", encoding="utf-8") as file:
        file.write(GOOD.format(1))
    words = ("--from", "resumed.py", "--from", "tables:self_reads", "--draw", "--mutations-per-program", 2)
    whole = last_json(fuzz(work, "whole", *words, "--tests", 10))
    fuzz(work, "parts", *words, "--tests", 4)
    parts = last_json(fuzz(work, "parts", "--resume", "--tests", 10))
    check(rows(work, "parts") == rows(work, "whole"), "a resumed campaign made other tests")
    check(parts["seeds"] == whole["seeds"], f"seeds: {parts['seeds']}, not {whole['seeds']}")
    with open(source, "a", encoding="utf-8") as file:
        file.write("\n# another\n")
    answer = fuzz(work, "parts", "--resume", "--tests", 12, status=2)
    check("has changed" in answer.stderr, answer.stderr)


def files(work):
    """A folder: what is no program is named once and left out, the others go on in order and then mutated."""
    mine = pathlib.Path(work, "mine")
    (mine / "deeper").mkdir(parents=True)
    for name, text in [("a.py", GOOD.format(1)), ("deeper/b.py", GOOD.format(2)), ("notes.txt", "no"),
                       *((name, text) for name, (text, _) in NOT_RUN.items())]:
        (mine / name).write_text(text, encoding="utf-8")
    answer = fuzz(work, "files", "--from", "mine", "--tests", 8)
    for name, (_, word) in NOT_RUN.items():
        said = [line for line in answer.stderr.splitlines() if f"/{name}" in line]
        check(len(said) == 1 and word in said[0].replace(name, ""), f"{name}: no '{word}' once: {answer.stderr}")
    result = last_json(answer)
    clean(result, "files")
    check(result["seeds"] == [{"from": "mine", "size": 2, "run": 2}], result["seeds"])
    made = [sha for sha, _ in rows(work, "files").values()]
    check(len(set(made)) > 2, "nothing was mutated")
    for name in ("a.py", "deeper/b.py"):
        (mine / name).unlink()
    answer = fuzz(work, "none", "--from", "mine", "--tests", 1, status=2)
    check(f"none of the {len(NOT_RUN)} files" in answer.stderr, answer.stderr)


def starts_no_worker(work):
    """What is wrong with the machine is said once, and not of each file."""
    answer = jitprobe("fuzz", "--from", ROOT / "corpus" / "models", "--campaign", f"{work}/unstarted",
                      env={"JITPROBE_WORKER": "/bin/false"})
    check(answer.returncode == 2 and answer.stderr.count("\n") == 1 and "did not start" in answer.stderr, answer.stderr)
    program = pathlib.Path(work, "cold.py")
    program.write_text(GOOD.format(1), encoding="utf-8")
    answer = jitprobe("fuzz", "--from", program, "--backend", "inductor", "--tests", 1, "--campaign", f"{work}/unstarted",
                      env={"CXX": "/bin/false", "JITPROBE_CACHE": f"{work}/cache"})
    check(answer.returncode == 2 and "can't be imported" in answer.stderr and "At:" not in answer.stderr, answer.stderr)
    check(not pathlib.Path(work, "unstarted").exists(), "a campaign that can't start left a folder")


def stopped(work):
    """Ctrl-C while the user's programs run, one of which never ends."""
    endless = pathlib.Path(work, "endless.py")
    endless.write_text("def program():\n    while True:\n        pass\n", encoding="utf-8")
    driver = subprocess.Popen([JITPROBE, "fuzz", "--from", endless, "--campaign", f"{work}/stopped"], stderr=subprocess.PIPE,
                              text=True)
    while driver.poll() is None and not runs_a_program(driver.pid):
        time.sleep(0.1)
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=120)
    check(driver.returncode == 0 and "stopped before the programs of --from" in said, f"{driver.returncode}: {said}")
    check(not pathlib.Path(work, "stopped").exists(), "it left a folder")


def runs_a_program(driver):
    """Whether a fork of its warm process is there."""
    return sum(runs(words, "jitprobe-worker") for words in tree_below(driver).values()) > 1


def models(work):
    """Every model agrees with itself and bears mutations; mutations reach what is inside forward."""
    count = len(list((ROOT / "corpus" / "models").glob("*.py")))
    result = last_json(fuzz(work, "models", "--from", "models", "--tests", 2 * count, "--mutations-per-program", 3,
                            "--keep-programs", f"{work}/kept"))
    clean(result, "models")
    check(result["seeds"] == [{"from": "models", "size": count, "run": count}], result["seeds"])
    check(undone(work, "models") == 0, "a mutation of a model broke its promise")
    kept = {f"test_{number}.py": sha for number, (sha, _) in rows(work, "models").items()}
    check({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(work, "kept").iterdir()} == kept,
          "the programs that were kept are not those of the tests")
    path = ROOT / "corpus" / "models" / "transformer_encoder.py"
    source = path.read_text(encoding="utf-8").splitlines()
    inside = source.index("    def forward(self, x, mask):") + 1
    sites = json.loads(jitprobe("mutate", path, "--list", "--json").stdout)
    check({site["mutation"] for site in sites if site["line"] > inside} >= {"true_block", "extract_function"}, sites[:5])


if __name__ == "__main__":
    with folder() as work_folder:
        tables(work_folder)
        resumed(work_folder)
        files(work_folder)
        starts_no_worker(work_folder)
        stopped(work_folder)
        models(work_folder)
    print("all seed sources behave")
