"""Reductions of a campaign lose nothing: they go on to their end behind their bound and behind the campaign, whoever
kills them; and what they slip to is a finding of its own. (That no test depends on how far they got is in order.py.)"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from common import JITPROBE, ROOT, check, folder, jitprobe

PUZZLES = ROOT / "tests" / "puzzles"
NOISE = "".join(f"    v{i} = torch.sin(v{i - 1}) * {i}\n" for i in range(1, 19))
LONG = f"""import torch


def make_inputs():
    return (torch.ones(7, 5), torch.ones(3), torch.zeros(4), torch.ones(2))


def program(v40, v0, v41, v42):
{NOISE}    v50 = v40.reshape(5, 7)
    v50[0] = 7.0
    return v40, v18, v41 + 1, v42
"""
# Without the statement that calls relu it raises: dropping a statement is tried before anything smaller.
TWO = """import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    y = torch.zeros(3)
    y.copy_(torch.relu(x))
    return y + torch.tanh(x)
"""
ENOUGH = 600


def said(*words, status=0, cwd=None, timeout=ENOUGH, env=None):
    answer = jitprobe(*words, cwd=cwd, timeout=timeout, env=env)
    check(answer.returncode == status, f"{words}: exit {answer.returncode}: {answer.stdout}{answer.stderr[-3000:]}")
    return answer


def hunt(work, name, source, puzzle, *more, tests=1, status=1):
    program = pathlib.Path(work, "seed.py")
    program.write_text(source)
    return said("fuzz", "--known", "none", "--from", program, "--backend", PUZZLES / f"{puzzle}.py", "--tests", tests, "--seed", 3,
                "--mutations-per-program", 0, "--jobs", 1, "--campaign", f"{work}/campaigns/{name}", *more, status=status)


def rows(campaign):
    return [row for row in json.loads(said("findings", "list", "--campaign", campaign, "--json").stdout)
            if row["status"] == "confirmed"]


def own(campaign):
    """The one finding that the test itself met; others are what its reduction slipped to."""
    (row,) = [row for row in rows(campaign) if not pathlib.Path(campaign, "findings", row["id"], "slip.json").exists()]
    return row


def kept(campaign, finding):
    path = pathlib.Path(campaign, "findings", finding, "reduced.json")
    return json.loads(path.read_text()) if path.exists() else None


def trail(campaign, finding):
    """The passes of each step of a finding's stored reduction; it must lead from the program to the reduced one."""
    rows = json.loads(said("findings", "show", finding, "--stored", "--json", "--campaign", campaign).stdout)["reductions"]
    found = pathlib.Path(campaign, "findings", finding, "program.py").read_text()
    check(rows[0] == {"step": "found", "passes": [], "says": "As it was found.", "source": found}, f"it begins with {rows[0]}")
    steps = [row for row in rows if row["step"] == "reduction"]
    check(steps[-1]["source"] == source_of(kept(campaign, finding)), "the trail ends in another program")
    check(len({row["source"] for row in steps}) == len(steps), "a step changes nothing")
    check(all(row["says"].endswith(".") for row in rows), f"a step says nothing: {rows}")
    return [row["passes"] for row in steps]


def source_of(form):
    return form["program"]["source"]


def goes_on_to_the_end(work):
    """What needs more programs than the bound ends 1-minimal with --finish, whatever the bound was: at once, and resumed."""
    # Deferred, and shown tidied for a reader; then gone on with.
    hunt(work, "short", LONG, "lost_view_write", "--reduce", 9)
    row = own(f"{work}/campaigns/short")
    form = kept(f"{work}/campaigns/short", row["id"])
    check(not form["finished"] and form["verified"], form)
    bounded = source_of(form["bounded"])
    hunt(work, "short", LONG, "lost_view_write", "--reduce", 9, "--resume", "--finish", status=0)
    # Without a break.
    hunt(work, "long", LONG, "lost_view_write", "--reduce", 40, "--finish")
    results = []
    for name in ("short", "long"):
        campaign = f"{work}/campaigns/{name}"
        for one in rows(campaign):
            form = kept(campaign, one["id"])
            check(form["finished"] and form["verified"], f"{name}: not to the end: {form}")
        results.append(source_of(kept(campaign, own(campaign)["id"])))
    form = kept(f"{work}/campaigns/short", row["id"])
    check(source_of(form["bounded"]) == bounded, "going on changed what tests depend on")
    check(len(bounded) > len(source_of(form)), "the bound was never reached")
    check(results[0] == results[1], f"the bound matters:\n{results[0]}\n{results[1]}")
    for word in ("v4", "v5", "sin", "torch.zeros", "7, 5"):
        check(word not in results[0], f"a person would not have written this:\n{results[0]}")
    check("def program(x):" in results[0], results[0])
    ways = [trail(f"{work}/campaigns/{name}", own(f"{work}/campaigns/{name}")["id"]) for name in ("short", "long")]
    check(ways[0][:3] == ways[1][:3] and all(len(way) > 4 and [] not in way for way in ways), f"the trails: {ways}")
    return results[0]


def killed_anywhere(work, result):
    """kill -9 of reduce ID whenever it has got somewhere: what is kept diverges, is never larger than before, and the
    end is the same."""
    hunt(work, "killed", LONG, "lost_view_write", "--reduce", 1)
    campaign = f"{work}/campaigns/killed"
    row = own(campaign)
    shutil.copytree(campaign, f"{work}/stopped")
    left = []
    file = pathlib.Path(campaign, "findings", row["id"], "reduced.json")
    while len(left) < 4:
        before = file.read_bytes() if file.exists() else b""
        # The newest campaign of ./campaigns is taken.
        process = subprocess.Popen([str(JITPROBE), "reduce", row["id"][:6], "--jobs", "1"], cwd=work,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not file.exists() or file.read_bytes() == before):
            time.sleep(0.02)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        form = kept(campaign, row["id"])
        check(not form["finished"] and not form["verified"], form)
        left.append(source_of(form))
    check(len(left) >= 3, f"killed {len(left)} times only")
    sizes = [len(text) for text in left]
    check(sizes == sorted(sizes, reverse=True), f"it got larger: {sizes}")
    for text in (left[0], left[-1]):
        pathlib.Path(work, "best.py").write_text(text)
        said("run", f"{work}/best.py", "--backend", PUZZLES / "lost_view_write.py", status=1)
    answer = said("reduce", row["id"][:6], "--json", cwd=work)
    form = kept(campaign, row["id"])
    check(form["finished"] and form["verified"], form)
    check(source_of(form) == result, f"killed, it ends with another program:\n{source_of(form)}\n{result}")
    check(json.loads(answer.stdout)["source"] == result, "not what is kept")
    steps = trail(campaign, row["id"])
    check([] not in steps and len(steps) > 4, f"killed, its trail has gaps: {steps}")
    # Once more: nothing is left to do, and nothing is lost.
    said("reduce", row["id"][:6], cwd=work)
    check(kept(campaign, row["id"]) == form, "a second reduction changed what was at its end")
    check(trail(campaign, row["id"]) == steps, "a second reduction changed the trail")


def larger_ones_stay_away(work, result):
    """A smaller program on disk, of whatever origin, is gone on from; one that does not diverge is nothing to go by."""
    campaign = f"{work}/campaigns/killed"
    row = own(campaign)
    file = pathlib.Path(campaign, "findings", row["id"], "reduced.json")
    form = json.loads(file.read_text())
    # Someone made it as small by hand.
    form["finished"] = form["verified"] = False
    file.write_text(json.dumps(form))
    said("reduce", row["id"], "--campaign", campaign)
    check(source_of(kept(campaign, row["id"])) == result, "a smaller program was replaced")
    # A campaign of an earlier version has no trail.
    pathlib.Path(campaign, "findings", row["id"], "trail.json").unlink()
    check(trail(campaign, row["id"]) == [[]], "without its trail the finding is not shown")
    form["program"]["source"] = "import torch\n\n\ndef program():\n    return torch.ones(1)\n"
    file.write_text(json.dumps(form))
    said("reduce", row["id"], "--campaign", campaign)
    check(source_of(kept(campaign, row["id"])) == result, "what does not diverge was kept")


def stopped_is_said(work):
    """Ctrl-C of a reduction that was not begun before: it says so, and so does an export of what it left."""
    campaign = f"{work}/stopped"
    row = own(campaign)
    file = pathlib.Path(campaign, "findings", row["id"], "reduced.json")
    before = file.read_bytes()
    process = subprocess.Popen([str(JITPROBE), "reduce", row["id"], "--campaign", campaign],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and file.read_bytes() == before:
        time.sleep(0.02)
    # Nobody else writes the campaign meanwhile.
    locked = jitprobe("reduce", row["id"], "--campaign", campaign)
    check(process.poll() is not None or (locked.returncode == 2 and "another process" in locked.stderr), locked.stderr)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    check(process.returncode == 0 and "not verified" in told and "run it again" in told, told)
    form = kept(campaign, row["id"])
    check(not form["finished"] and not form["verified"], form)
    # An export says so, or is finished first.
    answer = said("findings", "export", row["id"], "--campaign", campaign, "--as", "program", "--time", "0")
    check("not fully reduced" in answer.stderr and answer.stdout == source_of(form), answer.stderr)
    answer = said("findings", "export", row["id"], "--campaign", campaign, "--as", "program", "--time", "5m")
    form = kept(campaign, row["id"])
    check(form["finished"] and form["verified"] and answer.stdout == source_of(form), answer.stderr)


def slips(work):
    """Reducing one fault meets the other: a campaign that made one test has two findings, and so has reduce ID."""
    hunt(work, "slips", TWO, "two_faults")
    found = rows(f"{work}/campaigns/slips")
    check(sorted(row["kind"] for row in found) == ["raises", "value"], found)
    check(all(row["first_test"] == 0 for row in found), found)
    again = hunt(work, "slips", TWO, "two_faults", "--resume", status=0)
    check(len(rows(f"{work}/campaigns/slips")) == 2, "resumed, it counts once more")

    hunt(work, "late", TWO, "two_faults", "--reduce", 0)
    campaign = f"{work}/campaigns/late"
    row = own(campaign)
    answer = said("reduce", row["id"], "--campaign", campaign)
    found = rows(campaign)
    check(sorted(row["kind"] for row in found) == ["raises", "value"], found)
    (other,) = [one for one in found if one["id"] != row["id"]]
    check(other["id"] in answer.stderr and other["first_test"] is None, answer.stderr)
    where_it_does_not_show(campaign, row["id"])


def where_it_does_not_show(campaign, finding):
    """With a backend that is mended a finished reduction stays, and what is measured is shown, but not stored."""
    before = kept(campaign, finding)
    check(before["finished"] and before["verified"], before)
    mended = {"PUZZLE_FAULT": "0"}
    said("reduce", finding, "--campaign", campaign, env=mended, status=2)
    check(kept(campaign, finding) == before, "a finished reduction was lost where the finding does not show")
    answer = said("findings", "show", finding, "--campaign", campaign, env=mended)
    check("Compile configurations" in answer.stdout and "not stored" in answer.stderr, answer.stderr)
    check(not pathlib.Path(campaign, "findings", finding, "evidence.json").exists(), "evidence of what does not show was kept")


def main(parts):
    with folder() as work:
        if "end" in parts:
            result = goes_on_to_the_end(work)
            killed_anywhere(work, result)
            larger_ones_stay_away(work, result)
            stopped_is_said(work)
        if "slips" in parts:
            slips(work)
    print("nothing lost")


if __name__ == "__main__":
    main(sys.argv[1:])
