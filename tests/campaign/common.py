"""What the campaign tests share: where jitprobe is, and a check that says what went wrong."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# For backends that aren't torch's compiler: leaves out the mutation that calls it, which each process would import for that.
NO_COMPILER = ("--without", "compiled_inside")
# Seconds. Servers give their runs up and guards end what is left within moments; a loaded machine takes longer.
PATIENCE = 60
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release")) / "app" / "jitprobe"


def jitprobe(*words, env=None, timeout=1700, cwd=None):
    """Runs jitprobe with these words; the finished process with text output."""
    # No limit of the command's own: it comes before ctest's for a campaign, and says which command it was.
    return subprocess.run([str(JITPROBE), *map(str, words)], capture_output=True, text=True, timeout=timeout, cwd=cwd,
                          env=os.environ | (env or {}))


def last_json(answer):
    lines = answer.stdout.strip().splitlines()
    check(lines, f"nothing on standard output; standard error: {answer.stderr[-2000:]}")
    return json.loads(lines[-1])


def phases_add_up(result):
    """The table of phases in what fuzz --json prints: within 1 % of the whole, which is measured by itself."""
    rows, whole = result["phases"], result["job_seconds"]
    check(rows and all(row["seconds"] >= 0 for row in rows), f"phases: {rows}")
    charged = sum(row["seconds"] for row in rows)
    check(abs(charged - whole) <= 0.01 * whole, f"the phases' {charged} s are not the jobs' {whole} s: {rows}")
    return {row["phase"]: row["seconds"] for row in rows}


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def last_words(driver):
    """The exit status of a process that has ended, and what it said at the end on a pipe, for a message."""
    if driver.poll() is None:
        return ""
    said = driver.communicate()[1] or ""
    return f" (exit {driver.returncode}): {said[-2000:]}"


def kill_when(driver, reached, what="the campaign"):
    """Kills a campaign's driver, or another process, in its middle, once `reached` says so; while the campaign has no
    database, it doesn't."""
    while driver.poll() is None:
        try:
            if reached():
                break
        except sqlite3.Error:
            pass
        time.sleep(0.02)
    check(driver.poll() is None, f"{what} ended before it could be killed{last_words(driver)}")
    driver.send_signal(signal.SIGKILL)
    driver.wait()


def folder():
    """A temporary folder that removes itself."""
    return tempfile.TemporaryDirectory(prefix="jitprobe-test-")


def unit():
    """Seconds that the machine takes, now, to start a warm process, run a small program in it and end: what limits of
    time in tests are measured in. The slower of two."""
    with folder() as work:
        path = os.path.join(work, "nothing.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("def program():\n    return 1\n")
        took = []
        for _ in range(2):
            begun = time.monotonic()
            answer = jitprobe("run", path, "--backend", "plain", env={"JITPROBE_WARM": ""})
            check(answer.returncode in (0, 2), f"a program that does nothing: {answer.stderr}")
            took.append(time.monotonic() - begun)
    return max(took)
