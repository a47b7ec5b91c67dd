"""headers  [--first N] [--count N]: with an empty cache, the first start precompiles Inductor's header. Its driver is killed
         with kill -9 while g++ does that, N times (20), at moments drawn by --first; the next start does it again, and the
         program agrees. The cache then holds a header that was left whole, and nothing that a killed start began."""

import os
import pathlib
import random
import signal
import subprocess
import time

import common
from common import JITPROBE

PROGRAM = """
import torch


def make_inputs():
    return (torch.arange(24.0).reshape(4, 6),)


def program(x):
    return (x.sin() + x.cos()).sum(1)
"""
PATIENCE = 600  # seconds
MOST_WAITED = 20  # a header takes g++ longer than that on no machine that was tried


def precompiles(root):
    """Whether a g++ below that process writes a precompiled header."""
    parents, writers = {}, set()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b".gch" in (folder / "cmdline").read_bytes():
                writers.add(int(folder.name))
        except (OSError, IndexError):  # it has ended
            continue
    def below(pid):
        while pid in parents and pid != root:
            pid = parents[pid]
        return pid == root

    return any(below(pid) for pid in writers)


def started(file, environment):
    return subprocess.Popen([JITPROBE, "run", file, "--backend", "inductor"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env=os.environ | environment)


def sizes(cache):
    return {str(path.relative_to(cache)): path.stat().st_size for path in sorted(pathlib.Path(cache).rglob("*.gch"))}


def killed(file, environment, moment):
    """What is wrong with a start that is killed so many seconds after g++ began with the header; "" if nothing is."""
    driver = started(file, environment)
    end = time.monotonic() + PATIENCE
    while driver.poll() is None and time.monotonic() < end and not precompiles(driver.pid):
        time.sleep(0.02)
    if driver.poll() is not None or time.monotonic() >= end:
        driver.kill()
        return f"g++ was not seen with a header: {driver.communicate()[0][-500:]}"
    time.sleep(moment)
    if not precompiles(driver.pid):
        driver.kill()
        driver.communicate()
        return "late"
    driver.send_signal(signal.SIGKILL)
    driver.communicate()
    return ""


def recovered(file, environment):
    driver = started(file, environment)
    said = driver.communicate(timeout=PATIENCE)[0]
    return "" if driver.returncode == 0 else f"exit {driver.returncode}: {said[-500:]}"


def headers(first=1, count=20):
    drawn = random.Random(first)
    whole, longest, good = None, MOST_WAITED, True
    with common.folder() as work:
        file = pathlib.Path(work, "program.py")
        file.write_text(PROGRAM)
        for kill in range(count):
            cache = pathlib.Path(work, f"cache-{kill}")
            environment = {"JITPROBE_CACHE": str(cache), "JITPROBE_WARM": ""}
            while True:
                moment = drawn.uniform(0, longest)
                said = killed(file, environment, moment)
                if said != "late":
                    break
                longest = moment  # the header was done before
                common.check(longest > 0.05, "the header is precompiled too fast to be killed")
                subprocess.run(["rm", "-rf", cache], check=True)
            said = said or recovered(file, environment)
            found = sizes(cache)
            whole = whole or found
            if not said and found != whole:
                said = f"the cache holds {found}, and after the first kill {whole}"
            print(f"kill {kill + 1}, {moment:.1f} s after g++ had begun: {said or 'the next start did it again'}; "
                  f"{sum(found.values()) / 1e6:.0f} MB", flush=True)
            good = good and not said
            subprocess.run(["rm", "-rf", cache], check=True)
    return good
