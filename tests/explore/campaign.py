"""The server of `jitprobe explore` on a campaign that runs and that has ended, and the report in one file."""

import json
import pathlib
import signal
import sqlite3
import subprocess
import types

from client import JITPROBE, MARK, SECONDS, Server, check, children_of, folder, jitprobe, until
from server import ends_early, runs_of

DIVERGES = """import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    y = x * 3
    if torch.compiler.is_compiling():
        return y + 1
    return y + 2
"""
TEMPLATE = f"<!doctype html>{MARK}<title>report</title>\n<!--DATA-->\n<p>end</p>\n"


def as_json(*words):
    answer = jitprobe(*words)
    check(answer.returncode == 0, f"{words}: {answer.stderr}")
    return json.loads(answer.stdout)


def starts_campaign(work):
    seed = work / "seed.py"
    seed.write_text(DIVERGES, encoding="utf-8")
    # Further tests come once its finding is reduced: that they do is waited for, not how far the reduction gets.
    words = ["fuzz", "--known", "none",
             "--from", seed, "--backend", "eager", "--seed", "1", "--jobs", "1", "--campaign", work / "campaign",
             "--time", "10m", "--reduce", "10"]
    return subprocess.Popen([str(JITPROBE), *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def watches(work, driver, campaign):
    """A campaign that is running, then the same when it has ended."""
    with Server(work, "--campaign", campaign) as server:
        check(server.ask("/api/start")["campaign"] == {"name": str(campaign), "running": True}, "the campaign is not running")
        first = until(lambda: overview_with_findings(server), "the campaign has a finding")
        check(first["running"], "the campaign does not run")
        more = until(lambda: later(server, first), "the campaign goes on")
        check(len(more["series"]) > 0 and more["series"][-1]["tests"] > 0, f"series: {more['series']}")
        driver.send_signal(signal.SIGINT)
        driver.wait(timeout=SECONDS)
        ended = server.ask("/api/campaign", {})
        check(not ended["running"], "an ended campaign runs")
        # The overview of a moment ago may still say what was under way.
        until(lambda: server.ask("/api/campaign", {})["summary"]["under_way"] == 0, "nothing is under way")


def overview_with_findings(server):
    overview = server.ask("/api/campaign", {})
    return overview if overview["findings"] else None


def later(server, first):
    overview = server.ask("/api/campaign", {})
    return overview if overview["summary"]["tests"] > first["summary"]["tests"] else None


def answers_as_the_commands(work, campaign):
    rows = as_json("findings", "list", "--json", "--campaign", campaign)
    identity = rows[0]["id"]
    with Server(work, identity[:8], "--campaign", campaign) as server:
        opened = server.ask("/api/start")["opened"]
        check(opened["kind"] == "finding" and opened["finding"] == identity, f"opened {opened}")
        overview = server.ask("/api/campaign", {})
        check(overview["findings"] == rows, "the findings are not those of findings list")
        check(overview["statistics"] == as_json("findings", "statistics", "--json", "--campaign", campaign),
              "the statistics are not those of findings statistics")
        stored = json.loads((pathlib.Path(campaign) / "phases.json").read_text(encoding="utf-8"))
        check(overview["summary"]["phases"] == stored["phases"], "the phases are not those that the campaign stored")
        check(sum(overview["summary"]["verdicts"].values()) == overview["summary"]["tests"], "tests are missing")
        finding = server.ask("/api/finding", {"id": identity[:8]})
        stored = as_json("findings", "show", identity, "--stored", "--json", "--campaign", campaign)
        for key, value in stored.items():
            check(key == "program" or finding[key] == value, f"finding: another '{key}' than findings show has")
        replayed = server.ask("/api/replay", {"program": finding["program"], "steps": finding["steps"]})
        check(replayed["source"] == stored["program"]["source"], "the finding's steps do not give its program")
        check(finding["reductions"][0]["source"] == stored["program"]["source"], "the reductions begin elsewhere")
        runs_as_it_was_found(server, opened, finding)
        exports(server, campaign, identity)
        counts_known_ones_apart(server, campaign, identity)
        for wrong in ("../../etc/passwd", "..", "/", "", "0" * 65, "zz", "%", identity + "/..", "ffffffffffffffff"):
            server.refused(404, "/api/finding", {"id": wrong})
            server.refused(400, "/api/export", {"id": wrong, "as": "json"})
        server.refused(404, "/api/finding", {"id": 3})
        server.refused(400, "/api/export", {"id": identity, "as": "nothing"})


def runs_as_it_was_found(server, opened, finding):
    """The finding's backend is there, and its plan judges as it did."""
    names = [row["name"] for row in server.ask("/api/start")["backends"]]
    check(opened["backend"] == finding["backend"] in names, f"{finding['backend']} is not among {names}")
    check(finding["oracle"] == "eager_vs_compiled", finding["oracle"])
    body = {"program": finding["program"], "steps": finding["steps"], "backend": finding["backend"], "oracle": finding["oracle"]}
    for asked in (body, body | {"finding": finding["signature"]["id"]}):
        results = [data for name, data in server.stream("/api/run", asked) if name == "result"]
        check(len(results) == 1 and results[0]["verdict"]["kind"] == "diverge", f"the finding does not diverge: {results}")
    server.refused(400, "/api/run", body | {"finding": "ffffffffffffffff"})


def counts_known_ones_apart(server, campaign, identity):
    """A finding that a person has put aside is known, whatever its status is."""
    def summary_with(known):
        summary = server.ask("/api/campaign", {})["summary"]
        return summary if summary["known"] == known else None

    overview = server.ask("/api/campaign", {})
    before, known = overview["summary"], overview["summary"]["known"]
    status = next(row["status"] for row in overview["findings"] if row["id"] == identity)
    for label, more in (("wontfix", 1), ("none", 0)):
        answer = jitprobe("findings", "label", identity, label, "--campaign", campaign)
        check(answer.returncode == 0, answer.stderr)
        after = until(lambda more=more: summary_with(known + more), f"{known + more} findings are known")
        check(after[status] == before[status] - more, f"{label}: {after} after {before}")


def interpreters_of(server):
    """Python by itself, below a process: files that are tried."""
    return {pid for pid, name in children_of(server.process.pid).items() if name.startswith("python")}


def ends_exports(work, campaign, step, processes):
    """An export ends with its processes, however it is ended: by the page, with the server, by Ctrl-C of the command."""
    what = f"an export that is {step}"
    identity = as_json("findings", "list", "--json", "--campaign", campaign)[0]["id"]
    asked = {"id": identity, "as": "repro"}
    with Server(work, "--campaign", campaign) as server:
        ends_early(server, "/api/export", asked, what, processes)
        stream = server.stream("/api/export", asked)
        stream.named("started")
        until(lambda: processes(server), f"{what} has a process")
    words = ["findings", "export", identity, "--as", "repro", "--time", "0", "--campaign", campaign]
    command = subprocess.Popen([str(JITPROBE), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    below = until(lambda: processes(types.SimpleNamespace(process=command)), f"{what} by the command has a process")
    command.send_signal(signal.SIGINT)
    said, noted = command.communicate(timeout=SECONDS)
    check(command.returncode == 2 and said == "", f"{what}, stopped: exit {command.returncode} {said}")
    check("stopped before the export was made" in noted, f"{what}, stopped: {noted}")
    until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in below), f"{what}, stopped, is gone")


def exports(server, campaign, identity):
    def exported(form):
        return server.stream("/api/export", {"id": identity, "as": form}).named("exported")

    for form in ("program", "json"):
        made = exported(form)
        command = jitprobe("findings", "export", identity, "--as", form, "--time", "0", "--campaign", campaign).stdout
        check(made["text"] == command and made["works"] is None, f"the {form} is not that of findings export")
    made = exported("repro")
    check(made["works"] is True and "import torch" in made["text"], f"the reproducer: {made}")
    check(made["name"] == f"repro_{identity}.py", f"the reproducer's name: {made['name']}")


def data_of(path):
    text = path.read_text(encoding="utf-8")
    check(path.stat().st_size < 2_000_000, "the report is larger than 2 MB")
    check(text.count("</script>") == 1 and text.endswith("<p>end</p>\n"), "the report's data is not one script")
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


def reports(work, campaign):
    page = work / "page"
    (page / "report.html").write_text(TEMPLATE, encoding="utf-8")
    rows = as_json("findings", "list", "--json", "--campaign", campaign)
    for words, findings, whole in (([], len(rows), True), ([rows[0]["id"]], 1, False)):
        path = work / "report.html"
        answer = jitprobe("explore", *words, "--campaign", campaign, "--export", path, env={"JITPROBE_PAGE": str(page)})
        check(answer.returncode == 0 and answer.stdout == "", f"explore --export: {answer.stderr}")
        data = data_of(path)
        check(len(data["findings"]) == findings and data["left_out"] == 0, f"{len(data['findings'])} findings in a report")
        check((data["campaign"] is not None) == whole, "a report of a finding has the campaign, or the reverse")
        shown = data["findings"][0]
        check("outcomes" not in shown, "a report has recorded values")
        check([row["step"] for row in shown["reductions"]][:1] == ["found"] and all(row["says"] for row in shown["reductions"]),
              f"a report's reductions: {shown['reductions']}")
        check({"repro", "unittest", "program", "json"} <= set(shown["exports"]) and "left_out" not in shown,
              f"a report's exports: {sorted(shown['exports'])}")
        check(all(one["text"] and one["works"] is None and one["name"] for one in shown["exports"].values()), "an export")


def grow(campaign, count):
    """The campaign with so many more findings: copies of its first one, each with a program of 32 KB."""
    rows = as_json("findings", "list", "--json", "--campaign", campaign)
    first = rows[0]["id"]
    database = sqlite3.connect(campaign / "campaign.db")
    columns = [row[1] for row in database.execute("PRAGMA table_info(findings)")]
    row = dict(zip(columns, database.execute("SELECT * FROM findings WHERE id = ?", (first,)).fetchone(), strict=True))
    text = (campaign / "findings" / first / "finding.json").read_text(encoding="utf-8")
    for number in range(count):
        identity = f"{number:016x}"
        copy = campaign / "findings" / identity
        copy.mkdir()
        finding = json.loads(text.replace(first, identity))
        finding["finding"]["program"]["source"] += "".join(f"# {number} <{line}>\n" for line in range(2800))
        (copy / "finding.json").write_text(json.dumps(finding), encoding="utf-8")
        database.execute(f"INSERT INTO findings VALUES ({', '.join('?' * len(columns))})",
                         [identity if name == "id" else value for name, value in row.items()])
    database.commit()
    database.close()


def bounds_reports(work, campaign):
    """What a report of a large campaign leaves out it says, and it stays below its bound with everything in it."""
    count = 60
    grow(campaign, count)
    path = work / "large.html"
    answer = jitprobe("explore", "--campaign", campaign, "--export", path, env={"JITPROBE_PAGE": str(work / "page")})
    check(answer.returncode == 0, answer.stderr)
    data = data_of(path)
    print(f"a report of {count} findings of 32 KB: {path.stat().st_size} bytes, {data['left_out']} findings left out")
    rows = len(data["campaign"]["findings"]) + data["campaign"]["cut"].get("findings", 0)
    check(rows > count, f"{rows} findings of more than {count}")
    check(data["left_out"] > 0 and len(data["findings"]) > 10, f"{len(data['findings'])} findings in a report")
    check(len(data["findings"]) + data["left_out"] == rows, "a finding is neither there nor left out")
    check(path.stat().st_size > 1_000_000, "a report leaves out what had its place")


def main():
    with folder() as name:
        work = pathlib.Path(name)
        campaign = work / "campaign"
        driver = starts_campaign(work)
        try:
            until(lambda: jitprobe("findings", "list", "--campaign", campaign).returncode == 0, "the campaign has begun")
            watches(work, driver, campaign)
        finally:
            driver.kill()
        ends_exports(work, campaign, "measured", runs_of)
        evidence = list(campaign.glob("findings/*/evidence.json"))
        check(not evidence, f"an export that was ended kept evidence: {evidence}")
        answers_as_the_commands(work, campaign)
        ends_exports(work, campaign, "tried", interpreters_of)
        reports(work, campaign)
        bounds_reports(work, campaign)
    print("campaigns are answered as the commands do")


if __name__ == "__main__":
    main()
