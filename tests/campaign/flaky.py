"""flaky.py NAME: what a campaign says of a fault of tests/flaky/NAME.py, which shows in one half of the runs.

Those that depend on something that can be set are confirmed under it, reduced under it and shown with it; the standalone
file sets it by itself. One that depends on nothing stays flaky and is shown at the end with what was tried.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from common import ROOT, check, folder, jitprobe, last_json

# The faults count in a file that outlives their processes.
COUNTING = {"JITPROBE_SANDBOX": "off"}
# Tests, further flags, what it depends on.
FAULTS = {
    "unwritten_memory": (6, [], "depends on unwritten memory"),
    "threads": (6, ["--threads", 2], "depends on threads"),
    "chance": (3, [], None),
}


def campaign(name, work):
    tests, flags, _ = FAULTS[name]
    answer = jitprobe("fuzz", "--known", "none",
                      "--backend", ROOT / "tests" / "flaky" / f"{name}.py", "--tests", tests, "--seed", 3,
                      "--jobs", 1, "--reduce", 25, "--no-gradients", "--mutations-per-program", 0, "--ops", 2,
                      "--campaign", f"{work}/campaign", "--json", *flags,
                      env=COUNTING | {"PLANTED_COUNTER": f"{work}/counter"})
    check(answer.returncode in (0, 1), f"exit {answer.returncode}: {answer.stderr[-2000:]}")
    listed = jitprobe("findings", "list", "--campaign", f"{work}/campaign", "--all")
    return answer, last_json(answer), listed.stdout


def explained(name, work):
    answer, result, listed = campaign(name, work)
    depends = FAULTS[name][2]
    print(result, listed, answer.stderr, sep="\n")
    check(answer.returncode == 1 and result["findings"] > 0, "nothing was confirmed")
    check(depends in answer.stderr and depends in listed, f"not said: {depends}")
    rows = json.loads(jitprobe("findings", "list", "--campaign", f"{work}/campaign", "--json", "--all").stdout)
    one = next(row for row in rows if depends in row["reason"])
    check((one["status"], one["reproduced"], one["attempts"]) == ("confirmed", 5, 5), one)
    kept = pathlib.Path(work, "campaign", "findings", one["id"])
    check((kept / "reduced.py").exists(), "not reduced")
    check(len((kept / "reduced.py").read_text()) < len((kept / "program.py").read_text()), "not reduced under it")
    shown = jitprobe("findings", "show", one["id"], "--campaign", f"{work}/campaign", "--stored").stdout
    check(depends in shown and "as it is" in shown, shown)
    standalone(kept / "repro.py", work)


def standalone(file, work):
    """Exits with 1 each time, where chance alone would let it do so once in sixteen times."""
    python = os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
    environment = os.environ | COUNTING | {"PLANTED_COUNTER": f"{work}/counter"}
    ends = [subprocess.run([python, file], capture_output=True, text=True, env=environment).returncode for _ in range(4)]
    check(ends == [1] * 4, f"the standalone file ends with {ends}")


def unexplained(name, work):
    answer, result, listed = campaign(name, work)
    print(result, listed, answer.stderr, sep="\n")
    # Lines of progress begin with a time, and may say that a job is finding it out.
    told = [line for line in answer.stderr.splitlines() if not re.match(r"\d+:\d\d", line)]
    check(result["findings"] == 0 and not any("depends on" in line for line in told), "chance was taken for a cause")
    check(result["flaky_findings"], "a difference was dropped")
    for row in result["flaky_findings"]:
        conditions = [trial["condition"] for trial in row["trials"]]
        tried = [condition for condition in conditions if not condition.startswith("the standalone file")]
        check(tried[0] == "as it is" and len(tried) == len(set(tried)) == 8, conditions)
        for part in ("every fresh byte is 0x4b", "8 threads", "fixed addresses", "other addresses"):
            check(part in conditions, f"not tried: {part}")
        check(row["attempts"] > row["reproduced"] or "the standalone file" in conditions, row)
    check("flaky" in listed, listed)


if __name__ == "__main__":
    with folder() as work_folder:
        (explained if FAULTS[sys.argv[1]][2] else unexplained)(sys.argv[1], work_folder)
