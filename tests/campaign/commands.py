"""The commands as users call them: exit status, one clear sentence for bad use, nothing else on standard error."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import time

from common import JITPROBE, ROOT, check, folder, jitprobe

GOOD = """import torch

def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)

def program(x):
    return torch.relu(x) + 1
"""
DIVERGES = """import torch

def make_inputs():
    return (torch.arange(6.0),)

def program(x):
    if torch.compiler.is_compiling():
        return x + 1
    return x + 2
"""
RANDOM = """import torch, time

def program():
    return torch.tensor(time.perf_counter_ns())
"""
NOT_COMPILED = """import torch

torch.compiler.set_stance("force_eager")

def program():
    return torch.ones(3)
"""

# (file text, backend, exit status, word of the reason): each costs a start. What else a program may be and
# not run is tested by sources.py, for many files in one start.
RUNS = {
    "random": (RANDOM, "plain", 2, "unstable"),
    "not_compiled": (NOT_COMPILED, "eager", 2, "vacuous"),
    "marked": (GOOD.replace("def program", "@torch.compiler.disable\ndef program"), "eager", 0, "agree"),
    "broken_file": ("import torch\nraise ValueError('no')\n", "plain", 2, "no"),
    "dies": ("import os\ndef program():\n    os._exit(3)\n", "plain", 2, "eager"),
}

# (words, word of the sentence): all bad use, exit 2.
BAD_USE = [
    ([], "a command is missing"),
    (["fly"], "fly"),
    (["run"], "file"),
    (["run", "/nonexistent.py"], "nonexistent"),
    (["run", "/"], "folder"),
    (["run", "{good}", "--backend", "melt"], "melt"),
    (["run", "{good}", "--backend", "/nonexistent.py"], "nonexistent"),
    (["run", "{good}", "--threads", "0"], "threads"),
    (["run", "{good}", "--cxx", "clang"], "another order"),
    (["fuzz", "--cxx", "server"], "choose kept or default"),
    (["fuzz", "--ops", "0"], "1 to 1000 can be"),
    (["fuzz", "--ops", "12:4"], "LOW:HIGH"),
    (["generate", "--ops", "0"], "ops"),
    (["generate", "--ops", "many"], "ops"),
    (["generate", "--out", "/proc/no"], "/proc/no"),
    (["generate", "--seed", str(2**64 - 2), "--count", "3"], "smaller --seed"),
    (["generate", "--seed", str(2**64 - 2), "--count", "3", "--as", "graph"], "smaller --seed"),
    (["generate", "--seed", str(2**64 - 2), "--count", "3", "--metrics"], "smaller --seed"),
    (["import", "{good}", "{work}/empty/good.pt2", "--out", "{work}/empty"], "would both be written"),
    (["import", "{good}", "--out", "{work}"], "would be overwritten"),
    (["generate", "--from", "tables:melt"], "melt"),
    (["generate", "--from", "models"], "models"),
    (["generate", "--from", "tables:exceptions", "--seed", "100000"], "100000"),
    (["generate", "--from", "tables:exceptions", "--broken"], "--broken"),
    (["generate", "--guide", "paths", "--broken"], "--guide"),
    (["generate", "--guide", "paths", "--from", "tables"], "--guide"),
    (["generate", "--guide", "paths", "--with", "/proc/no"], "--guide"),
    (["fuzz", "--guide", "paths"], "--guide"),
    (["fuzz", "--from", "melt"], "melt"),
    (["fuzz", "--from", "tables:melt"], "list tables"),
    (["fuzz", "--from", "{work}/none/"], "none"),
    (["fuzz", "--from", "{work}/empty"], "empty"),
    (["fuzz", "--from", "{work}/no_syntax.py"], "no_syntax"),
    (["fuzz", "--from", "models", "--oracle", "rejects_alike", "--mutations-per-program", "0"], "rejects_alike"),
    (["fuzz", "--time", "soon"], "soon"),
    (["fuzz", "--time", "-5m"], "5m"),
    (["fuzz", "--resume"], "campaign"),
    (["fuzz", "--campaign", "{work}/none", "--resume", "--tests", "1"], "none"),
    (["fuzz", "--only", "melt"], "melt"),
    (["list", "everything"], "everything"),
    (["reduce", "{work}/none.py"], "none"),
    (["reduce", "{good}", "--report", "colour"], "colour"),
    (["reduce", "{good}", "--oracle", "all"], "one --oracle"),
    (["reduce", "{good}", "--out", "{work}/no/small.py"], "there is no folder"),
    (["reduce", "{good}", "--others", "/proc/no"], "/proc/no"),
    (["reduce", "3f2a", "--campaign", "{work}/none", "--backend", "eager"], "leave out --backend"),
    (["recheck", "--signatures", "--limit", "5"], "--limit"),
    (["recheck", "--python", "{work}/none"], "none"),
    (["mutate", "{good}"], "--list"),
    (["mutate", "{good}", "--interactive", "--check"], "--check"),
    (["mutate", "{good}", "--apply", "melt@s0"], "melt"),
    (["mutate", "{good}", "--apply", "nonsense"], "nonsense"),
    (["findings", "list", "--campaign", "{work}/none"], "none"),
    (["findings", "show", "x", "--campaign", "{work}/none"], "none"),
    (["merge", "{work}/none", "{work}/empty", "--campaign", "{work}/merged"], "none"),
    (["merge", "{work}/none", "--campaign", "{work}/merged"], "2 required"),
    (["harvest"], "needs one of: opinfo"),
    (["findings", "3f2a"], "has no part '3f2a'"),
    (["harvest", "run"], "after --"),
    (["harvest", "run", "--"], "after --"),
    (["harvest", "run", "--out", "/proc/no", "--", "true"], "/proc/no"),
    (["harvest", "opinfo", "--out", "/proc/no"], "/proc/no"),
    (["harvest", "opinfo", "--only", "rol", "--out", "{work}/rol"], "'rol'"),
    (["harvest", "opinfo", "--dtypes", "float31", "--out", "{work}/rol"], "float31"),
    (["harvest", "opinfo", "--samples", "-1"], "samples"),
    (["harvest", "order", "{work}/none"], "none"),
    (["harvest", "order", "{work}/none", "--by", "melt"], "melt"),
]


def one_sentence(answer, what):
    lines = [line for line in answer.stderr.splitlines() if line.strip()]
    check(lines and lines[0].startswith("jitprobe: "), f"{what}: no sentence, but {answer.stderr!r}")
    check(len(lines) <= 2, f"{what}: more than a sentence: {answer.stderr!r}")


def files(work):
    texts = {name: text for name, (text, *_) in RUNS.items()}
    for name, text in (texts | {"good": GOOD, "diverges": DIVERGES, "no_syntax": "def program(:\n"}).items():
        with open(f"{work}/{name}.py", "w", encoding="utf-8") as file:
            file.write(text)


def runs(work):
    for name, (_, backend, status, word) in RUNS.items():
        answer = jitprobe("run", f"{work}/{name}.py", "--backend", backend)
        said = answer.stdout + answer.stderr
        check(answer.returncode == status, f"run {name}: exit {answer.returncode}, not {status}: {said}")
        check(word in said, f"run {name}: '{word}' is not in: {said}")
    answer = jitprobe("run", f"{work}/diverges.py", "--backend", "eager", "--json")
    check(answer.returncode == 1, "a mismatch under Dynamo")
    check(json.loads(answer.stdout)["verdict"]["kind"] == "diverge", answer.stdout)


def bad_use(work):
    os.mkdir(f"{work}/empty")
    for words, word in BAD_USE:
        words = [text.format(good=f"{work}/good.py", work=work) for text in words]
        answer = jitprobe(*words, cwd=work)
        check(answer.returncode == 2, f"{words}: exit {answer.returncode}: {answer.stdout}{answer.stderr}")
        check(word in answer.stderr, f"{words}: '{word}' is not in {answer.stderr!r}")
        one_sentence(answer, words)


def help_everywhere():
    for command in ["fuzz", "generate", "mutate", "run", "reduce", "findings", "harvest", "recheck", "doctor", "list"]:
        answer = jitprobe(command, "--help")
        check(answer.returncode == 0 and "example:" in answer.stdout, f"{command} --help: {answer.stdout}")


def generate(work):
    first = jitprobe("generate", "--seed", 5, "--count", 3, "--json")
    again = jitprobe("generate", "--seed", 5, "--count", 3, "--json")
    check(first.returncode == 0 and first.stdout == again.stdout, "same seed, other bytes")
    rows = json.loads(first.stdout)
    check(len({row["sha256"] for row in rows}) == 3, "programs of different seeds are equal")
    answer = jitprobe("generate", "--seed", 5, "--count", 3, "--out", f"{work}/made")
    check(answer.returncode == 0 and len(answer.stdout.split()) == 3, answer.stdout + answer.stderr)
    with open(f"{work}/made/program_6.py", encoding="utf-8") as file:
        check(file.read() == rows[1]["source"], "file and JSON differ")
    few = ("generate", "--seed", 5, "--count", 40, "--operators", "add,mul,sin,cat,sum,relu,exp,neg,reshape,clamp")
    plain, guided = (json.loads(jitprobe(*few, "--metrics", "--json", *more).stdout) for more in ([], ["--guide", "paths"]))
    check(guided["DEC"] > plain["DEC"], f"a guide covers no more: {guided} {plain}")


def catalogues():
    # What there is: a rule that no longer registers itself is missed here. Raised with every new one.
    for what, least in [("operators", 628), ("tables", 9), ("mutations", 58), ("oracles", 8), ("backends", 6)]:
        answer = jitprobe("list", what, "--json")
        rows = json.loads(answer.stdout)
        check(answer.returncode == 0 and len(rows) >= least, f"list {what}: {answer.stdout[:500]}")
        if what in ("oracles", "backends"):
            check(all(row["says"] for row in rows), f"list {what}: {answer.stdout}")


def reader_gone():
    """Whoever reads the output goes away: the command ends with 2 and says nothing."""
    read, write = os.pipe()
    os.close(read)
    answer = subprocess.run([str(JITPROBE), "list", "operators"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    check((answer.returncode, answer.stderr) == (2, ""), f"output into a closed pipe: {answer}")


def output_lost():
    """Output that can't be written, however little it is, is no success."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        answer = subprocess.run([str(JITPROBE), "generate", "--seed", "1", "--ops", "1"], stdout=full,
                                stderr=subprocess.PIPE, text=True)
    check(answer.returncode == 2, f"output onto a full disk: {answer}")
    one_sentence(answer, "output onto a full disk")


def mutate(work):
    made = f"{work}/made/program_6.py"
    sites = json.loads(jitprobe("mutate", made, "--list", "--json").stdout)
    check(sites, "no sites")
    one = jitprobe("mutate", made, "--random", 5, "--seed", 3, "--check")
    check(one.returncode == 0 and one.stdout and "holds" in one.stderr, one.stderr)
    lineage = jitprobe("mutate", made, "--random", 5, "--seed", 3, "--lineage").stdout.splitlines()
    check(len(lineage) > 2, f"no lineage: {lineage}")
    # The first steps out of a file, the others as words: together the program again, here as the difference to it.
    history = pathlib.Path(made).parent / "history.txt"
    history.write_text("".join(step + "\n" for step in lineage[:2]))
    words = [word for step in lineage[2:] for word in ("--apply", step)]
    again = jitprobe("mutate", made, "--lineage", history, *words, "--diff")
    check(again.returncode == 0 and "@@" in again.stdout, again.stderr)
    with open(made, encoding="utf-8") as file:
        check(patched(file.read(), again.stdout) == one.stdout, f"the lineage gives another program: {again.stdout}")
    named = {site["mutation"]: site["exactness"] for site in sites}
    check(all(site["example"] for site in sites if site["exactness"] == "bitwise"), "a site without an example")
    check({named[step.split("@")[0]] for step in lineage} == {"bitwise"}, "mutate --random draws more than bitwise steps")
    varied = jitprobe("mutate", made, "--random", 12, "--seed", 3, "--exactness", "variation", "--lineage").stdout
    check({named.get(step.split("@")[0]) for step in varied.splitlines()} > {"bitwise"}, "no variation was drawn")


def patched(text, difference):
    """The text after a unified difference."""
    lines, made, at = text.splitlines(True), [], 0
    for line in difference.splitlines(True):
        if line.startswith(("---", "+++")):
            continue
        if line.startswith("@@"):
            begin = int(line.split()[1].split(",")[0][1:]) - 1
            made += lines[at:begin]
            at = begin
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            made += lines[at:at + 1] if line.startswith(" ") else []
            at += 1
    return "".join(made + lines[at:])


def own_backend(work):
    with open(f"{work}/mine.py", "w", encoding="utf-8") as file:
        file.write("def plus(fn):\n    return lambda *a: fn(*a) + 1\ndef same(fn):\n    return fn\n")
    kinds = {"eager": "agree", str(ROOT / "tests" / "puzzles" / "wrong_dtype.py"): "agree", "mine:plus": "diverge",
             "mine:same": "agree"}
    answer = jitprobe("run", "good.py", *[word for name in kinds for word in ("--backend", name)], cwd=work)
    check(answer.returncode == 1, f"mine:plus agrees: {answer.stdout}{answer.stderr}")
    for name, kind in kinds.items():
        check(f"{name}: {kind}" in answer.stdout, f"{name} is not said to {kind}: {answer.stdout}")
    answer = jitprobe("run", "good.py", "--backend", "mine:none", cwd=work)
    check(answer.returncode == 2 and "mine has no none" in answer.stdout, f"mine:none: {answer.stdout}{answer.stderr}")
    elsewhere = {"PYTHONPATH": work}
    answer = jitprobe("run", f"{work}/good.py", "--backend", "mine:same", "--backend", "yours:same", cwd="/", env=elsewhere)
    check("mine:same: agree" in answer.stdout, f"PYTHONPATH does not count: {answer.stdout}{answer.stderr}")
    check(answer.returncode == 2 and f"no module yours: it was looked for in /, {work} and" in answer.stdout,
          f"nothing is said of where yours was looked for: {answer.stdout}{answer.stderr}")
    answer = jitprobe("fuzz", "--backend", "mine:none", "--tests", 1, "--campaign", f"{work}/no_backend", cwd=work)
    check(answer.returncode == 2 and "mine has no none" in answer.stderr and "self-test" not in answer.stderr.split("\n")[-2],
          f"fuzz with mine:none: {answer.stderr}")


BLIND = """def compile(fn, **options):
    return fn

def counters():
    return {"known": True, "frames_seen": 0, "frames_compiled": 0, "graphs": 0}
"""


def failed_self_test(work):
    """A backend that says it counts and counts no graph break: fuzz must refuse to start."""
    with open(f"{work}/miscounts.py", "w", encoding="utf-8") as file:
        file.write(BLIND)
    answer = jitprobe("fuzz", "--backend", f"{work}/miscounts.py", "--tests", 1, "--campaign", f"{work}/miscounts")
    check(answer.returncode == 2 and "self-test failed: planted " in answer.stderr and "graph break (" in answer.stderr,
          f"a campaign started that can't detect every failure: {answer.stderr}")
    doctor = jitprobe("doctor", "--backend", f"{work}/miscounts.py", "--json")
    check(doctor.returncode == 1 and not json.loads(doctor.stdout)["sees_everything"], doctor.stdout + doctor.stderr)


def interrupted(work):
    """Ctrl-C: a clean end, a summary, and how to go on."""
    driver = subprocess.Popen([str(JITPROBE), "fuzz", "--known", "none", "--backend",
                               str(ROOT / "tests/puzzles/lost_side_effect.py"), "--jobs", "1", "--seed", "1", "--campaign",
                               f"{work}/stopped"], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env=os.environ | {"PUZZLE_FAULT": "0"})
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and "verdict" not in verdicts(f"{work}/stopped"):
        time.sleep(0.1)
    driver.send_signal(signal.SIGINT)
    out, err = driver.communicate(timeout=120)
    check(driver.returncode == 0, f"interrupted: exit {driver.returncode}: {err}")
    check("--resume" in err and "kept in" in out, f"interrupted: {out}{err}")


def verdicts(campaign):
    try:
        with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
            return "verdict" if database.execute("select count(verdict) from tests").fetchone()[0] else ""
    except sqlite3.Error:
        return ""


if __name__ == "__main__":
    with folder() as work_folder:
        files(work_folder)
        runs(work_folder)
        bad_use(work_folder)
        help_everywhere()
        generate(work_folder)
        catalogues()
        reader_gone()
        output_lost()
        mutate(work_folder)
        own_backend(work_folder)
        failed_self_test(work_folder)
        interrupted(work_folder)
    print("all commands behave")
