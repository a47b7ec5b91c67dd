"""The server of `jitprobe explore`: what it answers, what it refuses, and that its answers are those of the commands."""

import contextlib
import os
import pathlib
import time

from client import MARK, PAGE, ROOT, VERSION, Server, check, children_of, folder, jitprobe, last_json, until

PROGRAM = """import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3), torch.ones(3))


def program(x, y):
    a = torch.relu(x) + y
    b = a * 2
    return b.sum(), b
"""
HANGS = {"source": "import time\n\n\ndef program():\n    while True:\n        time.sleep(0.1)\n"}
DIVERGES = """import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    if torch.compiler.is_compiling():
        return x + 1
    return x + 2
"""


def as_json(*words):
    answer = jitprobe(*words)
    check(answer.returncode in (0, 1), f"{words}: {answer.stderr}")
    return last_json(answer)


def begins(server, path):
    start = server.ask("/api/start")
    check([row["name"] for row in start["backends"]][:4] == ["eager", "aot_eager", "aot_eager_decomp_partition", "inductor"],
          "the ladder does not come first")
    said = [row.pop("says") for row in start["mutations"]]
    check(all(said), "a mutation says nothing")
    known = [{key: row[key] for key in start["mutations"][0]} for row in as_json("list", "mutations", "--json")]
    check(start["mutations"] == known, "the mutations are not those of list mutations")
    opened = start["opened"]
    check(opened["kind"] == "program" and opened["name"] == path.name, f"opened {opened}")
    check(opened["program"] == {"source": PROGRAM, "entry": "program", "inputs": "make_inputs"}, "another program was opened")
    check(start["campaign"] is None, "a campaign was opened")
    kinds = {row["kind"] for row in start["examples"]}
    check(kinds == {"trophy", "model", "program"}, f"examples: {kinds}")
    gru = server.ask("/api/example", {"name": "models/gru"})["program"]["source"]
    check(gru == (ROOT / "corpus/models/gru.py").read_text(encoding="utf-8"), "the example is not the corpus's")
    drawn = server.ask("/api/draw", {"seed": 7, "operators": 5})
    check(drawn["seed"] == 7 and drawn == server.ask("/api/draw", {"seed": 7, "operators": 5}), "a seed draws two programs")
    return opened["program"]


def mutates(server, path, program):
    body = {"program": program, "steps": []}
    found = server.sites(body)
    check(found["sites"] == as_json("mutate", path, "--list", "--json"), "the sites are not those of mutate --list")
    check(found["statements"][0] == {"id": "s0", "line": 1, "end_line": 1}, f"statements: {found['statements'][0]}")
    site = next(row["apply"] for row in found["sites"] if row["mutation"] == "wrap_loop")
    made = server.applied(body | {"step": site, "seed": 5})
    command = as_json("mutate", path, "--apply", site, "--seed", "5", "--json")
    check(made["source"] == command["source"], "a step is not that of mutate --apply")
    check(made["exactness"] == "bitwise", f"exactness {made['exactness']}")

    drawn = server.drawn(body | {"count": 3, "seed": 4})
    check(drawn["source"] == as_json("mutate", path, "--random", "3", "--seed", "4", "--json")["source"],
          "random steps are not those of mutate --random")
    replayed = server.ask("/api/replay", body | {"steps": drawn["steps"]})
    check(replayed["source"] == drawn["source"], "the replay gives another program")
    check(replayed["lineage"] == "".join(step + "\n" for step in drawn["steps"]), "the lineage is another")
    check([row["error"] for row in replayed["steps"]] == [""] * len(drawn["steps"]), "a replayed step does not apply")
    off = server.ask("/api/replay", body | {"steps": [made["step"], None, "", made["step"] + "0", "wrap_loop@s99=0"]})
    check(off["steps"][1]["source"] == made["source"] and off["steps"][1]["error"] == "", "a step that is off changed something")
    check("s99" in off["steps"][4]["error"], f"a step without its site: {off['steps'][4]}")
    keeps_numbers(server, path, body, drawn["steps"])
    return [made["step"]]


def keeps_numbers(server, path, body, steps):
    """With a step switched off, the saved lineage gives the same program at the command line, and so does the one line
    that the page shares; the server reads both alike."""
    lineage = path.with_suffix(".lineage")
    compared = 0
    for off in range(len(steps)):
        replayed = server.ask("/api/replay", body | {"steps": steps[:off] + [""] + steps[off + 1:]})
        if all(row["error"] == "" for row in replayed["steps"]):
            lineage.write_text(replayed["lineage"], encoding="utf-8")
            source = as_json("mutate", path, "--lineage", lineage, "--json")["source"]
            check(source == replayed["source"], f"the lineage without step {off} gives another program")
            line = "; ".join(step or "-" for step in steps[:off] + [""] + steps[off + 1:]).removesuffix("; -")
            lineage.write_text(line, encoding="utf-8")
            check(as_json("mutate", path, "--lineage", lineage, "--json")["source"] == source, f"the line '{line}' differs")
            read = [server.ask("/api/lineage", {"text": text})["steps"] for text in (line, replayed["lineage"])]
            check(read[0] == read[1], f"the server reads {read[0]} and {read[1]}")
            compared += 1
    check(compared > 0, "no lineage with a step switched off applies")
    lineage.write_text("wrap_loop@s1; nothing@s2", encoding="utf-8")
    refused = jitprobe("mutate", path, "--lineage", lineage)
    says = server.refused(400, "/api/lineage", {"text": "wrap_loop@s1; nothing@s2"})
    check(refused.returncode == 2 and says in refused.stderr, f"{says} is not {refused.stderr}")


def clicks(server, program):
    """A step with facts that are known, many times: what a click costs."""
    sites = server.sites({"program": program, "steps": []})["sites"]
    took = []
    for row in sites[:40]:
        begun = time.monotonic()
        list(server.stream("/api/apply", {"program": program, "steps": [], "step": row["apply"], "seed": 1}))
        took.append(time.monotonic() - begun)
    took.sort()
    print(f"a click to the new program: median {took[len(took) // 2] * 1000:.1f} ms, longest {took[-1] * 1000:.1f} ms")


def without_times(run):
    """A run's JSON without what differs from run to run."""
    for outcome in run["outcomes"]:
        outcome.pop("seconds", None)
    return run


def runs(server, path, program, steps):
    for backend in ("eager", "aot_eager"):
        events = list(server.stream("/api/run", {"program": program, "steps": [], "backend": backend}))
        names = [name for name, _ in events]
        check(names[0] == "started" and names[-1] == "ended" and "progress" in names, f"events: {names}")
        result = next(data for name, data in events if name == "result")
        check(without_times(result) == without_times(as_json("run", path, "--backend", backend, "--json")),
              f"a run under {backend} is not that of the command")
    stream = server.stream("/api/run", {"program": program, "steps": steps, "backend": "eager", "explain": True})
    check(stream.named("result")["verdict"]["kind"] == "agree", "a bitwise step changed the result")
    check(len(stream.named("explained")["graphs"]) >= 1, "nothing was compiled")
    diverging = {"source": DIVERGES}
    verdict = server.stream("/api/run", {"program": diverging, "steps": [], "backend": "eager"}).named("result")["verdict"]
    check(verdict["kind"] == "diverge" and verdict["differences"][0]["where"] == "output", f"verdict: {verdict}")


def hunts(server, program):
    found = server.stream("/api/hunt", {"program": {"source": DIVERGES}, "steps": [], "backend": "eager", "seed": 1})
    diverged = found.named("diverged")
    check(diverged["steps"] == [] and diverged["verdict"]["kind"] == "diverge", f"hunt: {diverged}")
    stream = server.stream("/api/hunt", {"program": program, "steps": [], "backend": "eager", "seed": 1})
    run = stream.named("started")["run"]
    while stream.named("progress")["tried"] < 2:
        pass
    server.ask("/api/cancel", {"run": run})
    check([name for name, _ in stream if name != "progress"] == ["cancelled", "ended"], "a hunt was not cancelled")
    nothing_to_mutate = {"program": {"source": "def program():\n    return 1\n"}, "only": ["resolve_matmul"]}
    events = list(server.stream("/api/hunt", nothing_to_mutate | {"steps": [], "backend": "eager", "seed": 1}))
    failed = [data["error"] for name, data in events if name == "failed"]
    check(failed == ["no mutation that was asked for applies to this program"], f"a hunt without a mutant: {events}")
    check(all(data["tried"] == 0 for name, data in events if name == "progress"), f"the program itself counts: {events}")


def runs_of(server):
    """Processes below a worker: the runs."""
    below = children_of(server.process.pid)
    workers = {pid for pid, name in below.items() if name == "jitprobe-worker"}
    return {pid for worker in workers for pid in children_of(worker)}


def ends_early(server, path, asked, what, processes=runs_of):
    """A stream whose program hangs or takes long, once cancelled and once closed: its processes end with it."""
    for way in ("cancelled", "closed"):
        stream = server.stream(path, asked)
        run = stream.named("started")["run"]
        hanging = until(lambda: processes(server), f"{what} has a process")
        begun = time.monotonic()
        if way == "cancelled":
            server.ask("/api/cancel", {"run": run})
            names = [name for name, _ in stream if name != "progress"]
            check(names == ["cancelled", "ended"], f"{what} was not cancelled: {names}")
        else:
            stream.close()
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in hanging), f"{what}: what was {way} is gone")
        print(f"{what}: what was {way} had ended after {time.monotonic() - begun:.2f} s")


def cancels(server):
    ends_early(server, "/api/run", {"program": HANGS, "steps": [], "backend": "eager"}, "a run")


def cancels_sites(server):
    """A program that hangs in eager holds a worker no longer than somebody waits for its sites."""
    ends_early(server, "/api/sites", {"program": HANGS, "steps": []}, "looking for sites")
    server.refused(400, "/api/sites", {"program": {"source": "def ("}})


def cancels_steps(server):
    """So do steps that are made or drawn."""
    hangs = {"program": HANGS, "steps": []}
    ends_early(server, "/api/apply", hangs | {"step": "wrap_loop@s2", "seed": 1}, "applying a step")
    ends_early(server, "/api/random", hangs | {"count": 3}, "drawing steps")


def two_at_once(server, program):
    """One hangs; the other's result comes."""
    hanging = server.stream("/api/run", {"program": HANGS, "steps": [], "backend": "eager"})
    run = hanging.named("started")["run"]
    until(lambda: runs_of(server), "a run has a process")
    other = server.stream("/api/run", {"program": program, "steps": [], "backend": "eager"})
    check(other.named("result")["verdict"]["kind"] == "agree", "the second run has another result")
    for pid, name in children_of(server.process.pid).items():
        check(not descriptors_of(pid) & connections_of(server), f"{name} inherited a connection of the server's")
    server.ask("/api/cancel", {"run": run})
    check(hanging.named("ended") == {}, "the hanging run did not end")


def descriptors_of(pid):
    """What a process has open, as links of /proc; of one that has just ended nothing."""
    links = set()
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            links.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    return links


def connections_of(server):
    """The server's own TCP sockets, as links of /proc."""
    with open(f"/proc/{server.process.pid}/net/tcp", encoding="utf-8") as file:
        inodes = {line.split()[9] for line in file.readlines()[1:]}
    held = descriptors_of(server.process.pid)
    return {link for link in held if link.removeprefix("socket:[").removesuffix("]") in inodes}


def refuses(server, program):
    status, headers, text = server.send(server.url.split(server.address)[1])
    check(status == 200 and "<title>jitprobe</title>" in text, f"the page: {status}")
    for name in ("Content-Security-Policy", "Cache-Control", "X-Content-Type-Options", "Referrer-Policy"):
        check(name in headers, f"the page has no {name}")
    for path in (server.url.split(server.address)[1], "/api/start"):
        encoding = server.send(path, Accept_Encoding="gzip, deflate, br")[1].get("Content-Encoding")
        check(encoding is None, f"{path} is compressed, which takes longer than reading it: {encoding}")
    check("frame-ancestors 'none'" in headers["Content-Security-Policy"], "the page can be framed")
    server.refused(403, "/")
    server.refused(403, "/?token=" + "0" * 32)
    status, _, text = server.send("/", Accept="text/html,*/*;q=0.8")
    check(status == 403 and "<p>" in text and "the token is missing or wrong" in text, f"for a browser: {status} {text}")
    for wrong in ("", "0" * 32, server.token[:-1]):
        server.refused(403, "/api/start", X_Jitprobe_Token=wrong)
    server.refused(403, "/api/start?token=" + server.token, X_Jitprobe_Token="")
    server.refused(403, "/api/start", Origin="http://example.org")
    server.refused(403, "/api/start", Origin="null")
    server.refused(403, "/api/start", Host="example.org")
    check(server.send("/api/start", Origin="http://" + server.address)[0] == 200, "its own origin is refused")
    check("4 MiB" in server.refused(413, "/api/replay", b"x" * (5 << 20)), "another sentence for a large body")
    # As JSON it is twice as long.
    large = "A = '" + '"' * ((1 << 20) - 60) + "'\n\n\ndef program():\n    return 1\n"
    check(server.ask("/api/replay", {"program": {"source": large}, "steps": []})["source"] == large, "a program of 1 MiB")
    form = "application/x-www-form-urlencoded"
    says = server.refused(400, "/api/replay", b"x" * 9000, Content_Type=form)
    check("no JSON" in says, f"a form of 9,000 bytes: {says}")
    says = server.refused(400, "/api/replay", b"x" * 9000, Content_Type="multipart/form-data; boundary=x")
    check("application/json" in says, f"a form in parts: {says}")
    check("4 MiB" in server.refused(413, "/api/replay", b"x" * (5 << 20), Content_Type=form), "a large form")
    for body in (b"", b"{", b"[]", b"3", b"\xff\xfe", b"[" * 100000):
        server.refused(400, "/api/replay", body)
    for body in ({}, {"program": 3}, {"program": {"source": 3}}, {"program": {"source": "def ("}}, {"program": {"source": "a\0"}},
                 {"program": program, "steps": "all"}, {"program": program, "steps": [3]},
                 {"program": {"source": "", "entry": ""}}):
        server.refused(400, "/api/replay", body)
    for body in ({"step": "nothing@s1"}, {"step": 3}, {"step": "wrap_loop@s1", "seed": -1}):
        server.refused(400, "/api/apply", {"program": program, "steps": []} | body)
    failed = server.stream("/api/apply", {"program": program, "steps": [], "step": "wrap_loop@s9999=0,1"}).named("failed")
    check("s9999" in failed["error"], f"a step without its site: {failed}")
    for text in ("nonsense", "nothing@s1", 3):
        server.refused(400, "/api/lineage", {"text": text})
    for backend in ("", "nothing", "file:/etc/passwd", "os:system", "../eager"):
        server.refused(400, "/api/run", {"program": program, "steps": [], "backend": backend})
    server.refused(400, "/api/run", {"program": program, "steps": [], "backend": "eager", "oracle": "nothing"})
    server.refused(400, "/api/random", {"program": program, "steps": [], "count": 1000000})
    server.refused(400, "/api/random", {"program": program, "steps": [], "only": ["nothing"]})
    server.refused(400, "/api/draw", {"operators": 10**9})
    for name in ("nothing", "../README", "models/../../README", "/etc/passwd", "models/gru.py"):
        server.refused(404, "/api/example", {"name": name})
    for path in ("/nothing", "/api/nothing", "/../../etc/passwd", "/api/../../etc/passwd"):
        server.refused(404, path)
        server.refused(404, path, {})
    server.refused(404, "/api/start", {})
    server.refused(404, "/api/cancel", {"run": "r999"})
    server.refused(404, "/api/campaign", {})
    server.refused(404, "/api/finding", {"id": "00"})


def shows_what_cannot_run(server):
    """Programs that can't be run have no sites, and a sentence."""
    found = server.sites({"program": {"source": "def program():\n    raise ValueError('no')\n"}, "steps": []})
    check(len(found["statements"]) == 2, f"statements: {found['statements']}")
    broken = server.sites({"program": {"source": "import nothing_of_that_name\n"}, "steps": []})
    check(broken["sites"] == [] and "nothing_of_that_name" in broken["error"], f"sites: {broken}")
    dies = server.sites({"program": {"source": "import os\n\n\ndef program():\n    os.abort()\n"}, "steps": []})
    check("it died of signal 6 (SIGABRT)" in dies["error"], f"sites: {dies}")


def bad_use():
    with folder() as work:
        stale = pathlib.Path(work) / "page.html"
        stale.write_text(PAGE.replace(MARK, MARK.replace(VERSION, "1")), encoding="utf-8")
        answer = jitprobe("explore", "--no-open", env={"JITPROBE_PAGE": work}, cwd=work)
        check(answer.returncode == 2 and "./dev page" in answer.stderr, f"a page of another version is served: {answer}")
        stale.unlink()
        missing = {"JITPROBE_PAGE": work}
        for words, part in ((["/nonexistent.py"], "nonexistent"), (["00ff"], "campaign"), (["--backend", "nothing"], "nothing"),
                            (["--campaign", work], "campaign"), ([], "./dev run explore builds it"),
                            (["--export", work + "/report.html"], "--campaign")):
            answer = jitprobe("explore", *words, env=missing, cwd=work)
            check(answer.returncode == 2 and answer.stdout == "", f"explore {words}: {answer.returncode} {answer.stdout}")
            check(part in answer.stderr and answer.stderr.count("\n") == 1, f"explore {words}: {answer.stderr}")
        two_in_one = pathlib.Path(work) / "one:other"
        two_in_one.mkdir()
        answer = jitprobe("explore", "--allow-read", two_in_one, env=missing, cwd=work)
        check(answer.returncode == 2 and "has a colon" in answer.stderr, f"a path with a colon: {answer.stderr}")


def main():
    bad_use()
    with folder() as work:
        path = pathlib.Path(work) / "mine.py"
        path.write_text(PROGRAM, encoding="utf-8")
        with Server(work, path) as server:
            program = begins(server, path)
            refuses(server, program)
            until(lambda: server.ask("/api/start")["torch"], "a worker is warm")
            steps = mutates(server, path, program)
            clicks(server, program)
            shows_what_cannot_run(server)
            runs(server, path, program, steps)
            hunts(server, program)
            cancels(server)
            cancels_sites(server)
            cancels_steps(server)
            two_at_once(server, program)
            last = server.stream("/api/run", {"program": HANGS, "steps": [], "backend": "eager"})
            last.named("started")
            until(lambda: runs_of(server), "a run has a process")
    print("the server answers as the commands do")


if __name__ == "__main__":
    main()
