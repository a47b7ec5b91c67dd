"""headers  [--first N] [--count N]: with an empty cache, the first start precompiles Inductor's header. Its driver is killed
         with kill -9 while g++ does that, N times (20), at moments drawn by --first; the next start does it again, and the
         program agrees, with g++ as it is, too. The cache then holds whole headers alone."""

import os
import pathlib
import random
import signal
import subprocess
import time

import common
from common import JITPROBE
from fleet import tree_below

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
    return any(".gch" in word for words in tree_below(root).values() for word in words)


def started(file, environment, *words):
    return subprocess.Popen([JITPROBE, "run", file, "--backend", "inductor", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env=os.environ | environment)


def unfinished(cache):
    """The precompiled headers of which nothing says that they are whole (runtime/compat/headers.py), and what is left of
    those that our g++ makes."""
    found = sorted(pathlib.Path(cache).rglob("*.gch"))
    plain = [path for path in found if ".kept" not in path.name and not pathlib.Path(f"{path}.whole").exists()]
    return [str(path.relative_to(cache)) for path in (*plain, *(path for path in found if path.name.count(".h") > 1))]


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
    for more in ([], ["--cxx", "default"]):
        driver = started(file, environment, *more)
        said = driver.communicate(timeout=PATIENCE)[0]
        if driver.returncode != 0:
            return f"{' '.join(more)} exit {driver.returncode}: {said[-500:]}"
    return ""


def headers(first=1, count=20):
    drawn = random.Random(first)
    longest, good = MOST_WAITED, True
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
            if not said and (left := unfinished(cache)):
                said = f"the cache holds {left}"
            print(f"kill {kill + 1}, {moment:.1f} s after g++ had begun: {said or 'the next start did it again'}", flush=True)
            good = good and not said
            subprocess.run(["rm", "-rf", cache], check=True)
    return good
