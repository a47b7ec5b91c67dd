"""The same rows in every table, whoever makes the tests: one job; two jobs, killed in the middle and resumed, of which idle
ones go on reducing; one killed before it looked for causes; two other processes that share a folder, of which one is killed
in its work and never comes back, and the driver too, which is resumed; lease servers and a Ray cluster (fleet.py). Those of
other processes have the epochs of two cores, so that suppressions come late, and a known bug, and are compared with one job that
has them.

A machine or a build that is unlike the campaign's refuses in one sentence, a campaign that fails doesn't end the others, and no
process stays when the campaign ends.

    order.py [WAY…]    cut_off, killed, leased, processes (all of these by default), ray: skipped without Ray"""

import json
import pathlib
import shutil
import sys

import fleet
from common import check, folder, jitprobe, kill_when
from fleet import ALONE, ENOUGH, LAST, SHARED, start, tests_in
from tables import same_tables, tables


def ended(process, status, what):
    _, err = process.communicate(timeout=ENOUGH)
    check(process.returncode in status, f"{what}: exit {process.returncode}: {err[-2000:]}")
    return err


def given(words, flag):
    """The value of a flag among the words of a command."""
    return words[words.index(flag) + 1]


def straight(work, name="straight", words=ALONE):
    """One job, without a break."""
    campaign = f"{work}/{name}"
    answer = jitprobe("fuzz", *words, "--jobs", 1, "--no-finish", "--campaign", campaign)
    check(answer.returncode == 1, f"nothing was found: {answer.stderr[-2000:]}")
    found = tables(campaign)
    check(len(found["tests"]) == given(words, "--tests") and not found["waiting"], f"not all is decided: {found['waiting']}")
    check(len(found["findings"]) >= 2, f"it shows too little: {found['findings']}")
    known = {row[0] for row in found["findings"] if row[4] == "known"}
    check(words is ALONE or any(row[0] in known for row in found["sightings"]), "no test showed the known bug")
    last = LAST[given(words, "--epoch")]
    check(any(rows for epoch, rows in found["suppressions"] if int(epoch) <= last), "no test had anything suppressed")
    return campaign


def killed(work):
    campaign = f"{work}/killed"
    words = ["fuzz", *ALONE, "--jobs", 2, "--campaign", campaign]
    kill_when(start(*words), lambda: list(pathlib.Path(campaign, "reducing").glob("*")))
    ended(start(*words, "--resume"), (0, 1), "resumed")
    return campaign


def cut_off(work):
    """Killed between a finding's reduction and the search for its cause, in a campaign that is otherwise at its end."""
    campaign = f"{work}/cut_off"
    shutil.copytree(f"{work}/straight", campaign)
    causes, undone = list(pathlib.Path(campaign, "findings").glob("*/cause.json")), 0
    for path in causes:
        cause = json.loads(path.read_text())
        if "intermediate" not in cause:
            continue
        cause["intermediate"]["name"] = "of the program before it was reduced"
        path.write_text(json.dumps(cause))
        (path.parent / "known.json").unlink()
        undone += 1
    check(undone, "no cause was found before, so none is looked for again")
    ended(start("fuzz", "--campaign", campaign, "--resume", "--no-finish", "--jobs", 1), (0, 1), "resumed")
    return campaign


def leased(work):
    """Two processes, of which one is killed, then the driver; it goes on in another folder with another process."""
    campaign, shared, second = f"{work}/leased", pathlib.Path(work, "shared"), pathlib.Path(work, "second")
    words = ["fuzz", *SHARED, "--jobs", 1, "--no-finish", "--campaign", campaign, "--on"]
    driver = start(*words, f"files:{shared}")
    lost, trees = start("lease", "--of", shared, "--index", 0, "--count", 2), {}
    kill_when(lost, lambda: trees.update(fleet.tree_below(lost.pid)) or list(shared.glob("done/*/*.json")), "the process")
    check(any(fleet.runs(words, "jitprobe-worker") for words in trees.values()), f"it had no worker: {trees}")
    fleet.all_gone(trees, "below a process that was killed")
    other = start("lease", "--of", shared, "--index", 1, "--count", 2)
    before = tests_in(campaign)
    late = jitprobe("lease", "--of", pathlib.Path(work, "nowhere"), "--wait", 1)
    check(late.returncode == 2 and "after 1 s" in late.stderr, f"--wait: {late.returncode}: {late.stderr}")
    kill_when(driver, lambda: tests_in(campaign) > before)
    trees = fleet.tree_below(other.pid)
    other.terminate()
    check("stopped before the campaign has ended" in ended(other, (143,), "the other process"), "it doesn't say so")
    fleet.all_gone(trees, "below a process that was told to end")
    check(len(list(shared.glob("claims/*"))) <= 1, "only the process that was killed left a claim")
    driver, third = start(*words, f"files:{second}", "--resume"), start("lease", "--of", second)
    said = ended(driver, (0, 1), "the driver")
    epoch, cores = given(SHARED, "--epoch"), given(SHARED, "--cores")
    check(f"one machine makes the same with --epoch {epoch} --cores {cores}" in said, f"the epochs: {said}")
    check("made" in ended(third, (0,), "the third process"), "it says nothing")
    check(not list(second.glob("claims/*")), "nobody who ended left a claim")
    refuses(second)
    return campaign


def refuses(shared):
    path = shared / "campaign.json"
    (shared / "ended").unlink()
    first = path.read_text()
    for part, what in (("machine", "processor"), ("fingerprint", "build"), ("fingerprint", "known bugs")):
        terms = json.loads(first)
        (terms["settings"] if part == "machine" else terms)[part][what] = "another one"
        path.write_text(json.dumps(terms))
        answer = jitprobe("lease", "--of", shared)
        said = answer.stderr
        check(answer.returncode == 3 and said.count("\n") == 1 and f"{what}: the campaign was" in said, said)
    answer = jitprobe("fuzz", *SHARED, "--campaign", shared.parent / "third", "--on", f"files:{shared}")
    check(answer.returncode == 2 and "another campaign" in answer.stderr, answer.stderr)
    check(not (shared.parent / "third").exists(), "it was refused, and its folder is there")
    for words in (("--on", "cluster"), ("--on", "files:"), ("--on", "processes:0")):
        answer = jitprobe("fuzz", *words)
        check(answer.returncode == 2 and "files:DIR" in answer.stderr, answer.stderr)


def fails(work):
    """A driver that can't go on doesn't say that the campaign has ended."""
    shared = pathlib.Path(work, "failing")
    (shared / "done" / "0").mkdir(parents=True)
    (shared / "done" / "0" / "0-1.json").write_text("{}\n")
    answer = jitprobe("fuzz", *ALONE, "--jobs", 1, "--campaign", f"{work}/fails", "--on", f"files:{shared}")
    check(answer.returncode == 2 and "done/0/0-1.json" in answer.stderr, f"{answer.returncode}: {answer.stderr[-2000:]}")
    check((shared / "driver").exists() and not (shared / "ended").exists(), "it says that the campaign has ended")


WAYS = {"cut_off": cut_off, "killed": killed, "leased": leased, "processes": fleet.processes, "ray": fleet.ray}
ELSEWHERE = {"leased", "processes", "ray"}


def main(ways):
    ways = ways or [way for way in WAYS if way != "ray"]
    check(set(ways) <= set(WAYS), f"there is no such way: {', '.join(set(ways) - set(WAYS))}")
    if "ray" in ways and not fleet.RAY_PYTHON.exists():
        print(f"skipped: {fleet.RAY_PYTHON} is missing (./dev setup --ray)")
        sys.exit(fleet.SKIPPED)
    with folder() as work:
        if "leased" in ways:
            fails(work)
        alone = {}
        for way in ways:
            elsewhere = way in ELSEWHERE
            if elsewhere not in alone:
                alone[elsewhere] = straight(work, "cores", SHARED) if elsewhere else straight(work)
            same_tables(alone[elsewhere], WAYS[way](work), way)
    print("the same rows")


if __name__ == "__main__":
    main(sys.argv[1:])
