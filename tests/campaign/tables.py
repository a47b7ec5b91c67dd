"""Everything that a campaign's tests have left, row by row and without times: the same for campaigns that made the same."""

import json
import pathlib
import sqlite3

from common import check

QUERIES = {
    "tests": "select number, sha256, program, plan, verdict, rule, reason from tests order by number",
    # In the order in which they were entered, on which decisions depend; but known bugs are entered as results come.
    "findings": "select id, kind, backend, stage, status, reproduced, attempts, reason, first_test from findings "
                "order by status = 'known', case status when 'known' then id end, rowid",
    "sightings": "select finding, test from sightings order by finding, test",
    "counts": "select subject, name, value from counts order by subject, name",
}
# Not what deferred reductions make smaller whenever there is time.
FILES = ("finding.json", "cause.json", "known.json", "slip.json", "also.json")
TIMES = {"seconds", "start_seconds", "peak_bytes"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in TIMES}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def rows_of(path):
    """The rows of a file with one object a line, by test; a test that was made again has its last row."""
    if not path.exists():
        return []
    rows = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = without_times(json.loads(line))
        rows[row["test"], row.get("reason")] = row
    return [rows[key] for key in sorted(rows, key=str)]


def tables(campaign):
    folder = pathlib.Path(campaign)
    with sqlite3.connect(f"file:{campaign}/campaign.db?mode=ro", uri=True) as database:
        found = {name: database.execute(query).fetchall() for name, query in QUERIES.items()}
    for name in ("test_log", "promises"):
        found[name] = rows_of(folder / f"{name}.jsonl")
    found["suppressions"] = list(json.loads((folder / "suppressions.json").read_text())["epochs"].items())
    for finding in sorted(folder.glob("findings/*")):
        for file in FILES:
            if (finding / file).exists():
                found[f"{finding.name}/{file}"] = [without_times(json.loads((finding / file).read_text()))]
        reduced = finding / "reduced.json"
        found[f"{finding.name}/bounded"] = [json.loads(reduced.read_text()).get("bounded")] if reduced.exists() else []
    found["waiting"] = [file.name for file in folder.glob("waiting/*")]
    return found


def same_tables(one, other, what):
    """Both have the same rows in every table."""
    ours, theirs = tables(one), tables(other)
    check(set(ours) == set(theirs), f"{what}: {sorted(set(ours) ^ set(theirs))} is in one of them only")
    unlike = []
    for name, rows in ours.items():
        others = theirs[name]
        pairs = [pair for pair in zip(rows, others) if pair[0] != pair[1]]
        if rows != others:
            unlike.append(f"{name} has {len(rows)} and {len(others)} rows: {str(pairs[:1] or (rows, others))[:2000]}")
    check(not unlike, "\n".join([f"{what}:", *unlike]))
