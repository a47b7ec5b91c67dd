"""The campaigns that look for real faults: every harvested program once, unmutated, under a campaign's own oracle.

Two for each backend, in FOLDER/BACKEND. The first runs them joined, JOINED to a program (joined.py); the second runs the
parts of those that didn't agree, each by itself. What diverges by itself and is confirmed in fresh processes is a fault, told
apart from others by the finding's signature.
"""

import hashlib
import json
import signal
import sqlite3
import subprocess

from joined import join

BACKENDS = ("aot_eager", "inductor")
JOINED = 12  # programs to one compilation
SEED = 33  # of the order in which programs are joined


def shuffled(jitprobe, harvest):
    """{name: text} of the programs in a drawn order, so that a program's neighbours are no relatives of its own."""
    answer = subprocess.run([jitprobe, "harvest", "order", harvest, "--by", "random", "--seed", str(SEED), "--json"],
                            capture_output=True, text=True, check=True)
    names = [row["file"] for row in json.loads(answer.stdout)["instances"]]
    return {name: (harvest / name).read_text() for name in names}


def write(programs, folder):
    """Writes [(text, names)] as a folder of programs that a campaign takes in this order, and which parts each has."""
    folder.mkdir(parents=True)
    parts = {}
    for number, (text, names) in enumerate(programs):
        (folder / f"{number:05}.py").write_text(text)
        parts[hashlib.sha256(text.encode()).hexdigest()] = names
    (folder / "parts.json").write_text(json.dumps(parts))


def wait_for(words):
    """Runs a command to its end. Ctrl-C reaches it too, and means it alone."""
    before = signal.signal(signal.SIGINT, lambda *_: None)  # a handler isn't inherited, as ignoring would be
    try:
        subprocess.Popen(words).wait()
    finally:
        signal.signal(signal.SIGINT, before)


def campaign(jitprobe, folder, programs, backend):
    """Begins or continues one campaign over a folder of programs; whether it came to its end. Ctrl-C stops it cleanly."""
    count = sum(1 for _ in programs.glob("*.py"))
    if (folder / "campaign.db").exists():
        words = ["--resume"]
    else:
        words = ["--from", programs, "--mutations-per-program", "0", "--backend", backend, "--oracle", "eager_vs_compiled",
                 "--reduce", "0", "--no-finish", "--known", "none", "--jobs", "1", "--seed", str(SEED), "--tests", str(count)]
    wait_for([jitprobe, "fuzz", "--campaign", folder, *words])
    return (folder / "campaign.db").exists() and len(tests(folder, programs)) == count


def run(jitprobe, harvest, folder, backend):
    """Begins or continues a backend's two campaigns; whether both came to their end."""
    texts = shuffled(jitprobe, harvest)
    joined, single = folder / backend / "joined", folder / backend / "single"
    if not joined.exists():
        write(join(texts, JOINED), joined)
    if not campaign(jitprobe, folder / backend / "campaign-joined", joined, backend):
        return False
    if not single.exists():
        agree = set(agreed(folder / backend / "campaign-joined", joined))
        write([(text, [name]) for name, text in texts.items() if name not in agree], single)
    return campaign(jitprobe, folder / backend / "campaign-single", single, backend)


def rows(folder, question):
    """What the store of a campaign's folder answers."""
    store = sqlite3.connect(f"file:{folder}/campaign.db?mode=ro", uri=True)
    answer = store.execute(question).fetchall()
    store.close()
    return answer


def tests(folder, programs):
    """[(number, verdict, names of the parts of its program)] of the tests that have ended."""
    parts = json.loads((programs / "parts.json").read_text())
    ended = rows(folder, "select number, verdict, sha256 from tests where verdict is not null")
    return [(number, verdict, parts[sha256]) for number, verdict, sha256 in ended]


def agreed(folder, programs):
    """The names of all parts of the programs that agree."""
    return sorted({name for _, verdict, names in tests(folder, programs) if verdict == "agree" for name in names})


def findings_of(folder, programs):
    """(names that were run, [{"id", "kind", "reason", "files"}]) of a campaign over programs of one part."""
    of_test = {number: names[0] for number, _, names in tests(folder, programs)}
    found = []
    for finding, kind, reason in rows(folder, "select id, kind, reason from findings where status = 'confirmed' order by id"):
        shown = rows(folder, f"select test from sightings where finding = '{finding}' order by test")
        files = sorted({of_test[test] for (test,) in shown if test in of_test})
        if files:
            found.append({"id": finding, "kind": kind, "reason": reason, "files": files})
    return sorted(of_test.values()), found


def ran(folder):
    """(names of the programs that were run, findings) of a backend's folder, whose campaigns have ended."""
    alone, found = findings_of(folder / "campaign-single", folder / "single")
    return sorted(agreed(folder / "campaign-joined", folder / "joined") + alone), found
