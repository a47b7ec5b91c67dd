"""What is done with findings: a campaign with a planted fault reduces them and suppresses what triggers them; they are
listed, shown, exported, labelled and run again."""

import json
import os
import pathlib
import subprocess
import sys

from common import NO_COMPILER, ROOT, check, folder, jitprobe

TESTS = 2
BACKEND = ROOT / "tests" / "puzzles" / "lost_side_effect.py"
KNOWN = """# A sentence.
# link: unreported
# pattern: kind=state_after; frame=state
# state: {state}
raise SystemExit({status})
"""


def said(*words, status=0, env=None, cwd=None):
    answer = jitprobe(*words, env=env, cwd=cwd)
    check(answer.returncode == status, f"{words}: exit {answer.returncode}: {answer.stdout}{answer.stderr}")
    return answer.stdout


def campaign(work):
    said("fuzz", "--known", "none",
         "--backend", BACKEND, "--tests", TESTS, "--ops", 6, "--epoch", 1, "--seed", 7, "--jobs", 1, "--reduce", 6,
         *NO_COMPILER, "--campaign", work, status=1)
    rows = json.loads(said("findings", "list", "--campaign", work, "--json"))
    for row in rows:
        kept = pathlib.Path(work, "findings", row["id"])
        smallest = kept / ("reduced.py" if (kept / "reduced.py").exists() else "program.py")
        check(row["size"] == smallest.read_text().count("\n"), f"the size of {row['id']}: {row}")
    confirmed = [row for row in rows if row["status"] == "confirmed"]
    check(confirmed and all(row["bucket"] for row in rows), f"nothing confirmed: {rows}")
    for row in confirmed:
        kept = pathlib.Path(work, "findings", row["id"])
        check((kept / "reduced.py").exists(), f"{row['id']} was not reduced")
        check(len((kept / "reduced.py").read_text()) <= len((kept / "program.py").read_text()), "reduced is larger")
    check("epochs" in json.loads(pathlib.Path(work, "suppressions.json").read_text()), "no suppressions stored")
    said("findings", "suppressions", "--campaign", work)
    check(said("findings", "masks", "--campaign", work) == said("findings", "suppressions", "--campaign", work), "masks")
    check("inconsistent" in said("findings", "list", "--campaign", work, "--table"), "no table")
    statistics(work, len(confirmed))
    # One that is listed for itself, not as another one's like or a known bug.
    listed = said("findings", "list", "--campaign", work).split()
    return next(row["id"] for row in confirmed if row["id"] in listed)


def statistics(work, found):
    table = said("findings", "statistics", "--campaign", work)
    check(said("findings", "credit", "--campaign", work) == table, "the old name says something else")
    check("needed for no finding" in table and "aot_eager" not in table, table)
    shares = json.loads(said("findings", "statistics", "--campaign", work, "--json"))
    everything = shares["all"][0]
    check((everything["tests"], everything["findings"]) == (TESTS, found), everything)
    check(all(row["findings"] <= found for rows in shares.values() for row in rows), shares)
    counted = json.loads(said("list", "mutations", "--campaign", work, "--json"))
    check({row["id"] for row in counted} == {row["name"] for row in shares["mutation"]}, "not the whole catalogue")
    check(sum(row["applied"] for row in counted) > 0 and all(row["tried"] >= row["applied"] for row in counted), counted)


def exports(work, finding):
    shown = said("findings", "show", finding, "--campaign", work)
    check("Compile configurations" in shown and "\033" not in shown, shown)
    again = said("findings", "show", finding, "--campaign", work, "--stored")
    check(shown == again, "evidence was not kept")
    python = os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
    # With CI set, torch's own test runner asks for a package that only torch's CI has (xmlrunner).
    plain = {name: value for name, value in os.environ.items() if name != "CI"}
    asked = said("findings", "export", finding, "--campaign", work, "--as", "unittest", "--time", 0)
    check("class " in asked and "expectedFailure" not in asked, f"a test that is expected to fail, unasked: {asked}")
    for form, status, said_then in (("repro", 1, "the difference is there"),
                                    ("unittest --expected-failure", 0, "OK (expected failures=1)")):
        path = f"{work}/handed_out.py"
        said("findings", "export", finding, "--campaign", work, "--as", *form.split(), "--time", 0, "--out", path)
        compiled = subprocess.run([python, "-W", "error", "-m", "py_compile", path], capture_output=True, text=True)
        check(compiled.returncode == 0, compiled.stderr)
        ran = subprocess.run([python, path], capture_output=True, text=True, cwd=work, env=plain)
        check(ran.returncode == status and said_then in ran.stdout + ran.stderr,
              f"{form}: exit {ran.returncode}: {ran.stdout}{ran.stderr}")
    issue = said("findings", "export", finding, "--campaign", work, "--as", "issue", "--time", 0)
    for part in ("made by a fuzzer", "A person has to review", "### Versions", "differs in the same way"):
        check(part in issue, f"no '{part}' in: {issue}")
    everything = json.loads(said("findings", "export", finding, "--campaign", work, "--as", "json"))
    check("evidence" in everything and "reduced" in everything, sorted(everything))


def labels(work, finding):
    def ids(*more):
        return [line.split()[0] for line in said("findings", "list", "--campaign", work, *more).splitlines()]

    said("findings", "label", finding, "wontfix", "--note", "by design", "--campaign", work)
    check(finding not in ids() and finding in ids("--all"), "a labelled finding is still listed")
    check("labelled wontfix: by design" in said("findings", "show", finding, "--campaign", work, "--stored"), "no label")
    said("findings", "label", finding, "none", "--campaign", work)
    check(finding in ids(), "a label was not taken back")


def makes_known(work, finding):
    """A finding becomes the file of a known bug, which recheck runs and whose head it writes."""
    corpus = pathlib.Path(work, "own")
    link = "https://github.com/pytorch/pytorch/issues/12345"

    def labelled(*words, status=0):
        return said("findings", "label", finding, *words, "--campaign", work, "--corpus", corpus, status=status)

    for bad in (("known", "--link", "pytorch#1"), ("known", "--link", "https://example.org/a"), ("known", "--name", "a"),
                ("false", "--link", link), ("known", "--link", link, "--name", "../a")):
        labelled(*bad, status=2)
    check(not corpus.exists(), "a refused label wrote something")
    path = pathlib.Path(labelled("known", "--link", link).strip())
    check(path == corpus / "known" / "pytorch-12345.py", path)
    text = path.read_text()
    head = [line for line in text.splitlines() if line.startswith("# ")]
    for key in ("link: " + link, "signature: ", "here: ", "state: open"):
        check(sum(line.startswith("# " + key) for line in head) == 1, f"{key}: {text}")
    labelled("known", "--link", link)
    check(path.read_text() == text, "the same signatures again changed the file")
    labelled("known", "--link", link + "6", "--name", "pytorch-12345", status=2)
    check("labelled known: pytorch-12345, " + link in said("findings", "show", finding, "--campaign", work, "--stored"), "no label")
    said("findings", "label", finding, "none", "--campaign", work)
    # What recheck writes is the release, and nothing else.
    here = next(line for line in head if line.startswith("# here: "))
    path.write_text(text.replace(here + "\n", "# gone: 0.1\n"))
    said("recheck", "--corpus", corpus, "--update", status=1)
    check(path.read_text() == text.replace(here, here + "\n# gone: 0.1"), path.read_text())


def recheck(work):
    corpus = pathlib.Path(work, "corpus")
    (corpus / "known").mkdir(parents=True)

    def asked(said_of, ends, *more):
        """The rows of a recheck of files with these states and exit statuses: {(state, status): (result, as said)}."""
        for file in (corpus / "known").iterdir():
            file.unlink()
        for (state, status), (result, as_said) in said_of.items():
            (corpus / "known" / f"{state}_{status}.py").write_text(KNOWN.format(state=state, status=status))
        rows = json.loads(said("recheck", "--corpus", corpus, "--json", *more, status=ends))["files"]
        known = {row["name"]: (row["result"], row["as_said"]) for row in rows if row["set"] == "known"}
        check(known == {f"{state}_{status}": row for (state, status), row in said_of.items()}, rows)
        return rows

    there, gone = ("still there", True), ("gone", True)
    rows = asked({("open", 1): there, ("fixed", 0): gone}, 0, "--campaign", work)
    check(any(row["set"] == "findings" and row["result"] == "still there" for row in rows), rows)
    asked({("open", 1): there, ("open", 0): ("gone", False), ("open", 2): ("changed", False), ("fixed", 0): gone,
           ("fixed", 1): ("still there", False)}, 1)
    (corpus / "known" / "one.py").write_text("print()\n")
    said("recheck", "--corpus", corpus, status=2)
    said("recheck", "--python", "/bin/true", status=2)


if __name__ == "__main__":
    with folder() as work_folder:
        one = campaign(work_folder)
        exports(work_folder, one)
        makes_known(work_folder, one)
        labels(work_folder, one)
        recheck(work_folder)
    print("findings are stored, exported and run again")
    sys.exit(0)
