"""A campaign whose tests are made, and what they show is studied, by lease servers, of which one is killed in its work; its
driver is killed, too, and resumed. Nothing of either stays. The servers are children of the driver, or on a Ray cluster of
three nodes on this machine, of which one is killed. Used by order.py."""

import json
import os
import pathlib
import signal
import subprocess
import time

from common import JITPROBE, NO_COMPILER, PATIENCE, ROOT, check, kill_when, last_words

BACKEND = ROOT / "tests" / "campaign" / "backends" / "several.py"
WORDS = ["--backend", BACKEND, "--ops", 8, "--reduce", 2]
# Epochs so short that what the first findings suppress takes effect before the last test, which is in epoch LAST.
ALONE = [*WORDS, "--tests", 9, "--seed", 2, *NO_COMPILER, "--known", "none", "--epoch", 8]
# One of what these tests show is a known bug.
SHARED = [*WORDS, "--tests", 16, "--seed", 7, "--known", ROOT / "tests" / "campaign" / "several_known", "--epoch", 2, "--cores", 2]
LAST = {8: 4, 2: 7}
ENOUGH = 900
RAY_PYTHON = pathlib.Path(os.environ.get("JITPROBE_RAY_PYTHON", ROOT / ".venv-ray" / "bin" / "python"))
SKIPPED = 77


def start(*words, stdout=subprocess.DEVNULL):
    return subprocess.Popen([str(JITPROBE), *map(str, words)], stdout=stdout, stderr=subprocess.PIPE, text=True)


def parents():
    """Process -> its parent and its words, of all that live."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            stat = (path / "stat").read_text()
            words = (path / "cmdline").read_bytes().split(b"\0")[:-1]
        except OSError:
            continue
        state, parent = stat.rpartition(")")[2].split()[:2]
        if state != "Z":
            found[int(path.name)] = (int(parent), [word.decode(errors="replace") for word in words])
    return found


def tree_below(root):
    living = parents()
    tree = [root]
    for process in tree:
        tree += [child for child, (parent, _) in living.items() if parent == process]
    return {process: living[process][1] for process in tree[1:] if process in living}


def runs(words, name):
    """Whether these are the words of a process of that program; one that is ending has no words any more."""
    return any(name in program for program in words[:1])


def is_server(words):
    return words[1:3] == ["lease", "--serve"]


def servers_below(root):
    return [process for process, words in tree_below(root).items() if is_server(words)]


def all_gone(tree, what):
    """None of these processes lives any more; one of the same number and other words is another one."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        living = parents()
        left = {process: words for process, words in tree.items() if living.get(process, (0, None))[1] == words}
        if not left:
            return
        time.sleep(0.1)
    check(False, f"{what}: these are left: {left}")


def tests_in(campaign):
    log = pathlib.Path(campaign, "test_log.jsonl")
    return log.read_text().count("\n") if log.exists() else 0


def reached(driver, campaign, tests):
    while driver.poll() is None and tests_in(campaign) < tests:
        time.sleep(0.05)
    check(driver.poll() is None, f"the driver ended by itself{last_words(driver)}")


def studies(process):
    """Whether a server studies a case: then it holds a temporary folder for that."""
    try:
        links = [os.readlink(link) for link in pathlib.Path(f"/proc/{process}/fd").iterdir()]
    except OSError:
        return False
    return any("/tmp-case-" in link for link in links)


def studying(driver, servers=1, among=servers_below):
    """A server that studies a case, of at least so many. The campaign can't end before the case is decided."""
    while driver.poll() is None:
        living = among(driver.pid)
        at_it = [process for process in living if studies(process)]
        if at_it and len(living) >= servers:
            return at_it[0]
        time.sleep(0.02)
    check(False, f"the driver ended and no server studied a case{last_words(driver)}")


def lost_server(driver):
    """Kills a server in the middle of a case; what was below it."""
    lost = studying(driver)
    tree = tree_below(lost)
    os.kill(lost, signal.SIGKILL)
    return tree


def says(given, more=False):
    """What a server answers to these bytes on a pipe, and its exit status; with `more` the pipe stays open until then."""
    server = subprocess.Popen([JITPROBE, "lease", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    server.stdin.write(given)
    server.stdin.flush()
    if more:
        server.wait(timeout=PATIENCE)
    said, _ = server.communicate(timeout=PATIENCE)
    return server.returncode, said


def processes(work):
    check(says(b"") == (0, b""), "a server ends at the end of its input")
    check(says(b"no frame") == (2, b""), "what is no frame is refused")
    # {"op": "lease"}
    status, said = says(b"JPF2" + (10).to_bytes(8, "little") + bytes(8) + b"\x81\xa2op\xa5lease", more=True)
    check(status == 2 and b"came before the terms" in said, f"a lease without a campaign: {status}, {said}")
    campaign = f"{work}/processes"
    words = ["fuzz", *SHARED, "--jobs", 1, "--no-finish", "--campaign", campaign, "--on", "processes:2"]
    driver = start(*words)
    lost = lost_server(driver)
    studying(driver, servers=2)
    tree = tree_below(driver.pid)
    check(len(tree) > 4, f"the driver has no servers: {tree}")
    kill_when(driver, lambda: True)
    all_gone(lost, "below a killed server")
    all_gone(tree, "below a killed driver")
    driver = start(*words, "--resume")
    while driver.poll() is None and len(servers_below(driver.pid)) < 2:
        time.sleep(0.02)
    stopped(driver, tree_below(driver.pid))
    driver = start(*words, "--resume", "--json", stdout=subprocess.PIPE)
    while driver.poll() is None and len(servers_below(driver.pid)) < 2:
        time.sleep(0.02)
    tree = tree_below(driver.pid)
    found_elsewhere(driver)
    all_gone(tree, "after the end")
    return campaign


def stopped(driver, tree):
    """Ctrl-C ends a campaign, and everything in `tree`."""
    driver.send_signal(signal.SIGINT)
    _, err = driver.communicate(timeout=ENOUGH)
    check(driver.returncode in (0, 1) and "--resume" in err, f"Ctrl-C: exit {driver.returncode}: {err[-2000:]}")
    all_gone(tree, "after Ctrl-C")


def found_elsewhere(driver):
    """A resumed driver ends, and servers have studied at least one of its new findings."""
    out, err = driver.communicate(timeout=ENOUGH)
    check(driver.returncode in (0, 1), f"resumed: exit {driver.returncode}: {err[-2000:]}")
    result = json.loads(out.splitlines()[-1])
    check(result["studied_elsewhere"] >= 1 and result["made_elsewhere"] >= 1, f"the driver did it all: {result}")


class Cluster:
    """Three nodes, by the Python that has Ray."""

    def __init__(self, nodes=3):
        script = ROOT / "tests" / "fleet" / "ray_cluster.py"
        self.process = subprocess.Popen([RAY_PYTHON, script, str(nodes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        check(":" in self.address, "Ray's cluster did not start")

    def lose(self, node):
        self.process.stdin.write(f"{node}\n")
        self.process.stdin.flush()
        check(self.process.stdout.readline().strip() == "killed", "the node could not be killed")

    def servers(self):
        """What its actors started, each with all that is below it."""
        trees, living = {}, parents()
        for process, (parent, words) in living.items():
            if is_server(words) and any("ray::" in word for word in living.get(parent, (0, []))[1]):
                trees |= tree_below(process) | {process: words}
        return trees

    def end(self):
        self.process.communicate()


def orphans(cluster, before):
    """What no actor has any more of what actors had, once that is a server at least."""
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        now = cluster.servers()
        lost = {process: words for process, words in before.items() if process not in now}
        if any(map(is_server, lost.values())):
            return lost
        time.sleep(0.1)
    return check(False, f"the node that was killed had no server: {before}")


def ray(work):
    campaign, cluster = f"{work}/ray", Cluster()
    words = ["fuzz", *SHARED, "--jobs", 1, "--no-finish", "--campaign", campaign, "--on", f"ray:{cluster.address}"]
    driver = start(*words)
    reached(driver, campaign, 2)
    before = cluster.servers()
    cluster.lose(2)
    all_gone(orphans(cluster, before), "on a node that was killed")
    studying(driver, among=lambda _: cluster.servers())
    tree = cluster.servers()
    check(len(tree) > 4, f"there are no servers: {tree}")
    kill_when(driver, lambda: True)
    all_gone(tree, "after the driver was killed")
    driver = start(*words, "--resume")
    while driver.poll() is None and not (tree := cluster.servers()):
        time.sleep(0.02)
    stopped(driver, tree)
    driver = start(*words, "--resume", "--json", stdout=subprocess.PIPE)
    while driver.poll() is None and not (tree := cluster.servers()):
        time.sleep(0.02)
    found_elsewhere(driver)
    all_gone(tree | cluster.servers(), "after the end")
    cluster.end()
    return campaign
