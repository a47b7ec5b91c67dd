"""./dev soak fleet [--count N] [--arms NAME,…]: one campaign made in four ways leaves the same rows in every table and the
same files of every finding.

one        --jobs 1
processes  --on processes:2, one of which is killed
ray        --on ray:…, three nodes on this machine (127.0.0.2 and up), of which one is killed, and the driver, which is
           resumed; left out where .venv-ray is missing
files      --on files:DIR with eight processes, of which two are killed, and the driver, which is resumed

`one` is always made; another arm is made as often as it is named. The compiler under test is soak/faulty.py: eager, with
fourteen planted faults. Epochs are those of four cores: 150, 150, 300 and 600 tests, and 1,200 from there on; suppressions take
effect four epochs late. --count: tests (2,000)."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "campaign"))
import fleet  # noqa: E402
from common import JITPROBE  # noqa: E402
from tables import same_tables  # noqa: E402

BORDERS = [0, 150, 300, 600, 1200]  # and each 1,200 behind
# What a campaign of the full size must show, or the comparison says little.
FINDINGS, EPOCHS = 10, 4
WORDS = ["--backend", HERE / "soak" / "faulty.py", "--cores", 4, "--ops", 8, "--seed", 5, "--reduce", 20, "--known", "none"]


class Driver:
    """jitprobe fuzz, that may be killed and resumed."""

    def __init__(self, campaign, tests, *more):
        self.campaign, self.words = campaign, [JITPROBE, "fuzz", *WORDS, "--tests", tests, "--jobs", 1, "--no-finish", "--json",
                                               "--campaign", campaign, *more]
        self.start()

    def start(self, *more):
        with open(f"{self.campaign}.txt", "a") as err:
            self.process = subprocess.Popen(list(map(str, [*self.words, *more])), stdout=subprocess.PIPE, stderr=err, text=True)

    def reached(self, tests):
        while self.process.poll() is None and fleet.tests_in(self.campaign) < tests:
            time.sleep(0.05)
        if self.process.poll() is not None:
            raise SystemExit(f"the driver of {self.campaign} ended by itself: see {self.campaign}.txt")

    def killed(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()
        self.start("--resume")

    def result(self):
        out, _ = self.process.communicate()
        if self.process.returncode not in (0, 1):
            raise SystemExit(f"exit {self.process.returncode}: {pathlib.Path(f'{self.campaign}.txt').read_text()[-2000:]}")
        return json.loads(out.splitlines()[-1])


def one(work, tests):
    return Driver(f"{work}/one", tests)


def processes(work, tests):
    driver = Driver(f"{work}/processes", tests, "--on", "processes:2")
    driver.reached(tests // 4)
    os.kill(fleet.servers_below(driver.process.pid)[0], signal.SIGKILL)
    return driver


def ray(work, tests):
    cluster = fleet.Cluster()
    driver = Driver(f"{work}/ray", tests, "--on", f"ray:{cluster.address}")
    driver.reached(tests // 4)
    cluster.lose(2)
    driver.reached(tests // 2)
    driver.killed()
    driver.cluster = cluster
    return driver


def files(work, tests):
    shared = f"{work}/shared"
    driver = Driver(f"{work}/files", tests, "--on", f"files:{shared}")
    driver.leases = [subprocess.Popen([JITPROBE, "lease", "--of", shared, "--index", str(index), "--count", "8"],
                                      stderr=subprocess.DEVNULL) for index in range(8)]
    for lost in (2, 5):
        driver.reached(tests * lost // 8)
        driver.leases[lost].send_signal(signal.SIGKILL)
    driver.reached(tests * 6 // 8)
    driver.killed()
    return driver


ARMS = {"one": one, "processes": processes, "ray": ray, "files": files}


def findings_of(campaign):
    """The text of every file that a finding has, as far as it doesn't hold times or what deferred reductions change."""
    names = ("program.py", "repro.py")
    return {f"{path.parent.name}/{path.name}": path.read_text() for path in pathlib.Path(campaign).glob("findings/*/*")
            if path.name in names}


def compared(work, tests, number, arm):
    """Makes a campaign; whether it has what that of `one` has."""
    if arm == "ray" and not fleet.RAY_PYTHON.exists():
        print(f"ray: left out: {fleet.RAY_PYTHON} is missing (./dev setup --ray)", flush=True)
        return True
    begun = time.monotonic()
    place = f"{work}/{number}"
    os.mkdir(place)
    driver = ARMS[arm](place, tests)
    result = driver.result()
    seconds = time.monotonic() - begun
    for lease in getattr(driver, "leases", []):
        lease.wait()
    if hasattr(driver, "cluster"):
        driver.cluster.end()
    print(f"{arm}: {seconds:.0f} s, {result['findings']} findings (in the last start), "
          f"{result['studied_elsewhere']} of them studied elsewhere, {result['made_elsewhere']} tests made elsewhere", flush=True)
    if arm == "one":
        epochs = sum(border < tests for border in [*BORDERS, *range(2400, tests, 1200)])
        enough = result["findings"] >= FINDINGS and epochs >= EPOCHS
        print(f"one: {result['divergences']} divergences, {epochs} epochs"
              f"{'' if enough else f': less than {FINDINGS} findings or {EPOCHS} epochs, which says little'}", flush=True)
        return True
    try:
        same_tables(f"{work}/0/one", f"{place}/{arm}", arm)
    except SystemExit:
        return False
    same = findings_of(f"{work}/0/one") == findings_of(f"{place}/{arm}")
    print(f"{arm}: the same rows{', and the same files of findings' if same else '; the files of findings are unlike'}", flush=True)
    return same


def soak(tests, arms):
    for arm in arms:
        if arm not in ARMS:
            raise SystemExit(f"there is no arm '{arm}': {', '.join(ARMS)}")
    work = tempfile.mkdtemp(prefix="jitprobe-soak-")
    held = all([compared(work, tests, number, arm)
                for number, arm in enumerate(["one", *(arm for arm in arms or ARMS if arm != "one")])])
    if held:
        shutil.rmtree(work)
    else:
        print(f"the campaigns are in {work}")
    return held
