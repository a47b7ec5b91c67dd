"""Ctrl-C while a worker starts, which takes seconds: `fuzz`, `explore` and `mutate --interactive` end it at once, and leave
no process behind."""

import os
import pathlib
import signal
import subprocess
import time

from client import JITPROBE, Server, check, children_of, folder, until
from common import unit
from interactive import PROGRAM, Terminal


def worker_of(process):
    """The workers below a process, as soon as there is one."""
    def workers():
        return [pid for pid, name in children_of(process.pid).items() if name == "jitprobe-worker"]
    return until(workers, "a worker starts")


def gone(workers, begun, what, at_once):
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers), f"{what}: the worker is gone")
    took = time.monotonic() - begun
    print(f"{what}: the start ended {took:.2f} s after Ctrl-C")
    check(took < at_once, f"{what} waits {took:.1f} s for a worker that nobody needs")


def fuzz(work, at_once):
    driver = subprocess.Popen([str(JITPROBE), "fuzz", "--known", "none",
                                              "--tests", "5", "--seed", "1", "--backend", "eager", "--campaign",
                               f"{work}/campaign"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    workers = worker_of(driver)
    begun = time.monotonic()
    driver.send_signal(signal.SIGINT)
    said, noted = driver.communicate(timeout=60)
    gone(workers, begun, "fuzz", at_once)
    check(driver.returncode == 0 and "--resume" in noted, f"fuzz: {driver.returncode} {noted}")
    check(said.startswith("0 tests in "), said)


def explore(work, program, at_once):
    with Server(work, program) as server:
        workers = worker_of(server.process)
        begun = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        check(server.process.wait(timeout=60) == 0, f"explore ended with {server.process.returncode}")
        gone(workers, begun, "explore", at_once)


def cancelled_sites(work, program, at_once):
    """A request that waits for the worker that it starts ends, and the next one gets a worker."""
    with Server(work, program) as server:
        asked = {"program": {"source": PROGRAM}, "steps": []}
        stream = server.stream("/api/sites", asked)
        run = stream.named("started")["run"]
        worker_of(server.process)
        begun = time.monotonic()
        server.ask("/api/cancel", {"run": run})
        check([name for name, _ in stream if name != "progress"] == ["cancelled", "ended"], "sites were not cancelled")
        check(time.monotonic() - begun < at_once, "a cancelled request waits for a worker")
        check(server.sites(asked)["sites"], "no sites after a request that was cancelled")


def interactive(work, program, at_once):
    terminal = Terminal("mutate", program, "--interactive", state=work / "state")
    terminal.prompt()
    terminal.type("list\n")
    workers = worker_of(terminal.process)
    begun = time.monotonic()
    terminal.type("\x03")
    terminal.until("cancelled")
    terminal.prompt()
    gone(workers, begun, "mutate --interactive", at_once)
    check("sites" in terminal.say("list"), "no worker after a start that was cancelled")
    terminal.type("\x04")
    check(terminal.wait() == 0, "Ctrl-D does not end it")


def main():
    with folder() as name:
        work = pathlib.Path(name)
        program = work / "program.py"
        program.write_text(PROGRAM, encoding="utf-8")
        # In seconds. A start with the compiler takes longer: than two, also on a machine that does nothing else, and than one
        # without the compiler.
        at_once = max(2, unit())
        fuzz(work, at_once)
        explore(work, program, at_once)
        cancelled_sites(work, program, at_once)
        interactive(work, program, at_once)
    print("a start that nobody needs any more ends at once")


if __name__ == "__main__":
    main()
