"""./dev bench campaign: how fast a campaign of one job tests, where its time goes, and how that compares with a bare loop
over the very programs that it tested (bare_loop.py).

Campaign and loop take turns, three seeds for each backend, so that a machine that is slow for a while is slow for both.
Nothing is reduced. A program that kills the loop's process, or at which it is when a minute for each program has passed, is
left out of it; how many is said."""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = os.environ.get("JITPROBE_PYTHON") or ROOT / ".venv" / "bin" / "python"
SECONDS = 60
LIMIT = 60
SEEDS = (1, 2, 3)


def fuzzed(jitprobe, folder, backend, seed):
    """A minute's campaign: its counts, and its programs with their backends."""
    answer = subprocess.run(
        [jitprobe, "fuzz", "--time", f"{SECONDS}s", "--jobs", "1", "--seed", str(seed), "--backend", backend, "--campaign",
         f"{folder}/campaign", "--keep-programs", f"{folder}/programs", "--reduce", "0", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    log = pathlib.Path(folder, "campaign", "test_log.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, log) if row["verdict"] != "vacuous"]
    return (json.loads(answer.stdout.splitlines()[-1]),
            [(f"{folder}/programs/test_{row['test']}.py", row["backend"]) for row in rows])


def lines_of(programs):
    """What the loop says of them before it ends or one takes too long."""
    loop = subprocess.Popen([PYTHON, pathlib.Path(__file__).with_name("bare_loop.py")], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    timeout = LIMIT * len(programs)
    try:
        return loop.communicate(json.dumps(programs), timeout)[0].splitlines()
    except subprocess.TimeoutExpired:
        loop.kill()
        return loop.communicate()[0].splitlines()


def looped(programs):
    """Seconds of each program in the bare loop, and how many it could not run."""
    seconds, lost = [], 0
    while programs:
        done = [json.loads(line)["seconds"] for line in lines_of(programs)]
        seconds += done
        lost += len(done) < len(programs)
        programs = programs[len(done) + 1:]
    return seconds, lost


def phase_name(row):
    """Of a row of the phases: "compiled/inductor", "draw"."""
    return "/".join(filter(None, [row["phase"], row.get("backend")]))


def measured(figure, jitprobe, backend):
    tests, vacuous, spent, bare, left_out, phases = 0, 0, 0.0, [], 0, {}
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            result, programs = fuzzed(jitprobe, folder, backend, seed)
            seconds, lost = looped(programs)
        tests, vacuous = tests + result["tests"], vacuous + result["vacuous"]
        spent, left_out = spent + result["seconds"], left_out + lost
        bare += seconds
        for row in result["phases"]:
            name = phase_name(row)
            phases[name] = phases.get(name, 0) + row["seconds"] / result["job_seconds"] / len(SEEDS)
    rate, loop = tests / spent, len(bare) / sum(bare)
    figure(f"campaign/{backend}/tests", rate, "1/s")
    figure(f"campaign/{backend}/bare_loop", loop, "1/s", programs=len(bare), lost=left_out)
    figure(f"campaign/{backend}/of_bare_loop", rate / loop, "1")
    for name, share in phases.items():
        figure(f"campaign/{backend}/phase/{name}", share, "1")
    figure(f"campaign/{backend}/vacuous", vacuous / max(1, tests + vacuous), "1")


def main(figure, jitprobe):
    for backend in ("aot_eager", "inductor"):
        measured(figure, jitprobe, backend)
