"""./dev soak judge: random clean programs, each judged with and without a compiler.

plain      5,000 programs, the function itself against itself: every report is a mistake of the judge
aot_eager  2,000 programs  } every report is a bug of torch, or a mistake of ours; `jitprobe findings` shows them
inductor   1,000 programs  }

Each is a campaign without mutations in build/soak/judge/NAME, and goes on where it was stopped. At the end: what was
judged by which rule, and the reports. Exit 1 when the plain one has a report.
"""

import json
import shutil
import sqlite3

import common

COUNTS = {"plain": 5000, "aot_eager": 2000, "inductor": 1000}
FOLDER = common.ROOT / "build" / "soak" / "judge"


def hunt(name, seed, count):
    """The last line of the campaign, which goes on if it is there."""
    folder = FOLDER / f"{name}-{seed}-{count}"
    if (folder / "campaign.db").exists():
        answer = common.jitprobe("fuzz", "--campaign", folder, "--resume", "--tests", count, "--json", timeout=None)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        answer = common.jitprobe("fuzz", "--campaign", folder, "--backend", name, "--tests", count, "--seed", seed,
                                 "--ops", 10, "--mutations-per-program", 0, "--json", timeout=None)
    print(answer.stdout.strip() or answer.stderr[-2000:], flush=True)
    return folder, answer


def verdicts(folder):
    """Verdict -> tests that have it, of all starts of the campaign."""
    with sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True) as database:
        return dict(database.execute("select verdict, count(*) from tests where verdict is not null group by verdict"))


def decided(folder):
    """Rule -> how many tests it decided."""
    rows = json.loads(common.jitprobe("list", "rules", "--campaign", folder, "--json").stdout)
    return {row["id"]: row["decided"] for row in rows if row["decided"]}


def judge(seed, most=None):
    """True when it held. `most` makes each of the three smaller."""
    held = True
    for name, count in COUNTS.items():
        folder, answer = hunt(name, seed, min(count, most or count))
        if answer.returncode not in (0, 1):
            return False
        judged = verdicts(folder)
        print(f"{name}: {judged}, decided by {decided(folder)}")
        listed = common.last_json(common.jitprobe("findings", "list", "--campaign", folder, "--json"))
        for row in listed:
            print(f"{name}: {row['status']} {row['id']} {row['kind']}: {row['reason']}", flush=True)
        if name == "plain":
            held = not listed and not any(judged.get(verdict) for verdict in ("diverge", "unstable", "rejected"))
    return held
