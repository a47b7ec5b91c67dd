"""./dev bench fleet: what a fleet of lease servers costs, and how well cores are used.

Measured: one server of `jitprobe lease --serve` on this machine makes tests of a campaign on real torch (seed 1, all else by
default): seconds of each test, bytes that come back, what a lease costs beside its tests, a start; and what the driver
spends on storing a test. Simulated with these seconds, drawn at random: 8, 100 and 1,000 cores, by the tests of an
epoch a core, and by the seconds K that confirming and reducing go on after an epoch's last test. What epochs wait for is
what campaigns wait for: an epoch opens when the last but one has all its results and suppressions are decided, which
lag behind by four epochs (by two for comparison)."""

import heapq
import json
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import time

TESTS = 100
STORED = 100
LEASE = 10  # fleet/ranges.h
EPOCHS = 8
HEAD = struct.Struct("<4sQQ")


def packed(value):
    """MessagePack of JSON values, in the longest forms."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return b"\xcf" + struct.pack(">Q", value) if value >= 0 else b"\xd3" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\xdb" + struct.pack(">I", len(value.encode())) + value.encode()
    if isinstance(value, list):
        return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
    return b"\xdf" + struct.pack(">I", len(value)) + b"".join(packed(k) + packed(v) for k, v in value.items())


class Server:
    def __init__(self, jitprobe):
        self.socket, its = socket.socketpair()
        self.process = subprocess.Popen([jitprobe, "lease", "--serve"], stdin=its, stdout=its)
        its.close()
        self.file = self.socket.makefile("rb")

    def say(self, message):
        message = packed(message)
        self.socket.sendall(HEAD.pack(b"JPF2", len(message), 0) + message)
        return len(message)

    def hear(self):
        _, size, attached = HEAD.unpack(self.file.read(HEAD.size))
        return self.file.read(size + attached)

    def end(self):
        self.file.close()
        self.socket.close()
        self.process.wait()


def told(jitprobe, work):
    """The terms of a campaign, and the tables of its first epochs, from the folder of its driver."""
    shared = pathlib.Path(work, "shared")
    driver = subprocess.Popen([jitprobe, "fuzz", "--on", f"files:{shared}", "--seed", "1", "--jobs", "1", "--known", "none",
                               "--tests", "1000", "--campaign", f"{work}/campaign"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    while driver.poll() is None and not (shared / "tables" / "1.json").exists():
        time.sleep(0.1)
    time.sleep(1)  # renamed when whole; the next ones come only with results
    driver.send_signal(signal.SIGINT)
    driver.wait()
    return [json.loads((shared / path).read_text()) for path in ("campaign.json", "tables/0.json", "tables/1.json")]


def served(jitprobe, work):
    """Seconds and bytes of each test, and the figures of leases."""
    terms, *tables = told(jitprobe, work)
    server = Server(jitprobe)
    begun = time.monotonic()
    server.say({"op": "terms", "terms": terms})
    if b"ready" not in server.hear()[:8]:
        raise SystemExit("the server did not start")
    start = time.monotonic() - begun
    for one in tables:
        server.say({"op": "tables", "tables": one})
    server.say({"op": "lease", "begin": 0, "end": 0})
    server.hear()
    begun = time.monotonic()
    for _ in range(100):
        server.say({"op": "lease", "begin": 0, "end": 0})
        server.hear()
    lease = (time.monotonic() - begun) / 100
    seconds, sizes = [], []
    server.say({"op": "lease", "begin": 0, "end": TESTS})
    before = time.monotonic()
    while (message := server.hear())[:8] != b"\x81\xa4done\xc3":
        seconds.append(time.monotonic() - before)
        sizes.append(len(message))
        before = time.monotonic()
    server.end()
    return {"start": start, "lease": lease, "seconds": seconds, "sizes": sizes}


def done_in(shared):
    """Where the results of the first thousand tests are."""
    return shared / "done" / "0"


def made(jitprobe, work, words):
    """The results of STORED tests, one file a range, as a lease process gives them back."""
    shared = pathlib.Path(work, "made")
    driver = subprocess.Popen([*words, "--on", f"files:{shared}", "--campaign", f"{work}/first"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    subprocess.run([jitprobe, "lease", "--of", shared], check=True, capture_output=True)
    driver.wait()
    return sorted(done_in(shared).glob("*.json"), key=lambda path: int(path.name.split("-")[0]))


def stored(jitprobe, work):
    """Seconds that the driver needs to store a test, by how many come at once: all of them, which are there when it starts,
    and a range after the other. They are of the tests that the other figures are of."""
    words = [jitprobe, "fuzz", "--seed", "1", "--jobs", "1", "--tests", str(STORED), "--reduce", "0", "--known", "none",
             "--no-finish", "--json"]
    ranges = made(jitprobe, work, words)
    seconds = {}
    for name, at_once in (("all", STORED), ("ten", LEASE)):
        shared, campaign = pathlib.Path(work, f"shared-{name}"), pathlib.Path(work, f"stored-{name}")
        done = done_in(shared)
        done.mkdir(parents=True)
        if name == "all":
            for path in ranges:
                shutil.copy(path, done)
        driver = subprocess.Popen([*words, "--on", f"files:{shared}", "--campaign", campaign], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        for path in ranges if name == "ten" else []:
            while driver.poll() is None and not rows_below(campaign, int(path.name.split("-")[0])):
                time.sleep(0.01)
            shutil.copy(path, done / "beside")
            (done / "beside").rename(done / path.name)
        while driver.poll() is None and not rows_below(campaign, STORED):
            time.sleep(0.01)
        driver.send_signal(signal.SIGINT)  # what the tests showed need not be confirmed
        result = json.loads(driver.communicate()[0].splitlines()[-1])
        seconds[at_once] = result["store_seconds"] / result["made_elsewhere"]
    return seconds


def rows_below(campaign, number):
    """Whether all tests below that number have their verdicts."""
    if not (campaign / "campaign.db").exists():
        return number == 0
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        try:
            return database.execute("select count(*) from tests where verdict is not null").fetchone()[0] >= number
        except sqlite3.Error:
            return False


def efficiency(cores, epoch, late, lag, seconds, store, chance):
    """The part of the cores' time that goes into tests, from the first test to the last of EPOCHS epochs. `late`: for
    how long decisions of an epoch go on after its last result; `store`: the driver's time a test, one after the other."""
    drawn = [chance.choice(seconds) for _ in range(epoch * EPOCHS)]
    free = [0.0] * cores
    results, decided = [], []
    driver = 0.0
    for number in range(EPOCHS):
        opens = max(results[number - 2] if number >= 2 else 0, decided[number - lag] if number >= lag else 0)
        ends = []
        for first in range(number * epoch, (number + 1) * epoch, LEASE):
            end = max(heapq.heappop(free), opens)
            for one in drawn[first:min(first + LEASE, (number + 1) * epoch)]:
                end += one
                ends.append(end)
            heapq.heappush(free, end)
        for end in sorted(ends):
            driver = max(driver, end) + store
        results.append(driver)
        decided.append(max(driver, decided[-1] if decided else 0) + late)
    return sum(drawn) / (cores * max(driver, max(free)))


def main(figure, jitprobe):
    with tempfile.TemporaryDirectory() as work:
        found = served(jitprobe, work)
        store = stored(jitprobe, work)
    seconds, sizes = found["seconds"], sorted(found["sizes"])
    mean = sum(seconds) / len(seconds)
    figure("fleet/start", found["start"], "s")
    figure("fleet/lease", found["lease"] * 1000, "ms")
    figure("fleet/test", mean, "s", slowest=round(max(seconds), 2))
    figure("fleet/bytes", sum(sizes) / len(sizes), "B", median=sizes[len(sizes) // 2], most=sizes[-1])
    for at_once, a_test in store.items():
        figure("fleet/store", a_test * 1000, "ms", at_once=at_once, cores=round(mean / a_test))
    for cores in (8, 100, 1000):
        for per_core in (30, 100, 300):
            for late, lag in ((0, 4), (300, 4), (300, 2)):
                value = efficiency(cores, cores * per_core, late, lag, seconds, 0, random.Random(1))
                figure("fleet/efficiency", value, "1", cores=cores, tests_a_core=per_core, late=late, lag=lag)
        for at_once, a_test in store.items():
            value = efficiency(cores, cores * 300, 0, 4, seconds, a_test, random.Random(1))
            figure("fleet/with_store", value, "1", cores=cores, at_once=at_once)
