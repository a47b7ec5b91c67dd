"""./dev bench planted [--only NAME,...] [--jobs N] [--programs N] [--parts found,reduce,pair,silent] [--again]

Measures the whole tool on faulty compilers: each file of faults/ is torch's own compiler with one thing broken, each
file of triggers/ a few statements that show it. For every fault:

  found    the trigger, planted in a generated program of 100 to 200 statements, diverges; with the fault off it agrees
  reduce   what jitprobe reduce makes of that program, of two cores: statements, runs, seconds; and of smaller programs
           with the same trigger, for the signatures of the reduced ones
  pair     another fault beside it and both triggers in one program: the result must show the fault that it showed first
           (else it slipped), and the other must be among `--others`
  silent   the share of generated programs without the trigger in which nothing shows

The findings that the reductions give, of all faults together, are put in the order of `findings list`: how far down one
has to look to have seen half of the faults, and all of them.

Whatever is measured is kept in build/planted/ and not measured again while the fault and its trigger are the same, so
a run may be stopped and goes on where it was; --again measures afresh. Prints a table (found: yes, or "on" where only a
reduction has seen it) and one JSON line a figure.
"""

import argparse
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys

import merge
from faulty import BUILD, HERE, JITPROBE, KEPT, ROOT, faults, jitprobe, together

PARTS = ("found", "reduce", "pair", "silent")
PAIRED = 2  # the number of the program in which two faults stand


def verdict(file, backend, flags=(), fault=True):
    return jitprobe("run", file, "--backend", backend, *flags, "--json", fault=fault)


def surrounding(number, operators, backend):
    """The file of a generated program in which this backend, as it is, agrees with eager: the first of some seeds."""
    for seed in range(1000 * number, 1000 * number + 20):
        file = KEPT / "programs" / f"{backend}-{operators}-{seed}.py"
        told = file.with_suffix(".json")
        if not told.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            text = subprocess.run([JITPROBE, "generate", "--seed", str(seed), "--ops", str(operators), "--out", "-"],
                                  capture_output=True, text=True, check=True).stdout
            file.write_text(text)
            answer = verdict(file, backend)
            told.write_text(json.dumps(answer.get("verdict", {}).get("kind", "none")))
        if json.loads(told.read_text()) == "agree":
            return file
    raise SystemExit(f"planted: no program of {operators} operators agrees under {backend}")


def operators_of(number):
    """The first program of a fault is long, the others are for their signatures."""
    return (110, 24, 40, 32, 16)[number % 5] + 20 * (number // 5)


def surrounding_of(fault, number):
    offset = sum(fault.name.encode()) % 4  # not all faults in one program
    return surrounding(number * 4 + offset, operators_of(number) + (25 * offset if number == 0 else 0), fault.backend)


def flags_of(fault, number):
    """How its programs are judged: work is counted against the program without the trigger."""
    return fault.flags + (["--against", surrounding_of(fault, number)] if "cost" in fault.flags else [])


def program_of(fault, number, others=()):
    """The file with the trigger (and those of others) planted in the program of this number."""
    text = merge.plant(surrounding_of(fault, number).read_text(), [one.trigger for one in (fault, *others)],
                       seed=f"{fault.name} {number}")
    file = KEPT / "planted" / f"{'+'.join(one.name for one in (fault, *others))}-{number}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def diverges(answer):
    return answer.get("verdict", {}).get("kind") == "diverge"


def statements_in(file):
    return len(merge.parts_of(file.read_text()).body) + 1


def measure_found(fault, options, number):
    file, flags = program_of(fault, number), flags_of(fault, number)
    on = verdict(file, fault.path, flags)
    off = verdict(file, fault.path, flags, fault=False)
    differences = on.get("verdict", {}).get("differences", [{}])
    return {
        "statements": statements_in(file),
        "verdict": on.get("verdict", {}).get("kind", on.get("error")),
        "class": differences[0].get("mismatch", "value") if differences else None,
        "off": off.get("verdict", {}).get("kind", off.get("error")),
    }


def reduced(file, backend, flags, jobs, others=None):
    limit = "20m" if "inductor" in pathlib.Path(backend).read_text() else "5m"
    words = ["--others", others] if others else []
    small = KEPT / "reduced" / pathlib.Path(file).name
    small.parent.mkdir(parents=True, exist_ok=True)
    result = jitprobe("reduce", file, "--backend", backend, *flags, "--jobs", jobs, "--time", limit, "--out", small,
                      "--json", *words)
    return result, small


def measure_reduce(fault, options, number):
    result, _ = reduced(program_of(fault, number), fault.path, flags_of(fault, number), options.jobs)
    if "error" in result:
        return {"error": result["error"]}
    kept = ("statements_before", "statements", "runs", "candidates", "seconds", "finished", "passes", "source")
    return {key: result[key] for key in kept} | {"signature": bare(result["signature"]),
                                                 "reduced": bare(result["reduced_signature"])}


def bare(signature):
    """What tells failures apart, without the backend: each fault has a file of its own, which would give it away."""
    return [signature["kind"], signature.get("stage", ""), *signature.get("frames", [])]


def partner_of(fault, known):
    """The next fault, by name, on the same backend."""
    fitting = [one for one in known.values() if one.backend == fault.backend and one.alone()]
    later = [one for one in fitting if one.name > fault.name] + [one for one in fitting if one.name < fault.name]
    return later[0] if later and not fault.flags else None


def measure_pair(fault, options, number):
    other = partner_of(fault, options.known)
    if other is None:
        return None
    file, backend = program_of(fault, number, [other]), together([fault, other])
    folder = KEPT / "others" / f"{fault.name}+{other.name}"
    subprocess.run(["rm", "-rf", folder], check=True)
    result, small = reduced(file, backend, [], options.jobs, folder)
    if "error" in result:
        return {"error": result["error"]}
    shown = {one.name: diverges(verdict(small, one.path)) for one in (fault, other)}
    before = {one.name: bare(verdict(file, one.path)["signature"]) for one in (fault, other)}
    # Outputs of the first trigger stand before those of the second: where both look alike, the first is seen.
    named = [name for name in before if before[name] == bare(result["signature"])]
    behind = other if named[:1] == [fault.name] else fault
    others = [diverges(verdict(path, behind.path)) for path in result["others"]]
    return {"with": other.name, "first": named, "shows": shown, "others": len(others), "other_seen": any(others),
            "alike": before[fault.name] == before[other.name], "statements": result["statements"],
            "runs": result["runs"], "slipped": not any(shown[name] for name in named[:1])}


def measure_silent(fault, options, _):
    """The programs' results with the fault off and on, bit for bit; no judging, which would hide small differences."""
    count = options.silent if fault.backend != "inductor" else max(20, options.silent // 5)
    words = ["generate", "--seed", "5", "--count", str(count), "--ops", "20", "--json", "--out", "-"]
    programs = subprocess.run([JITPROBE, *words], capture_output=True, text=True, check=True).stdout
    python = os.environ.get("JITPROBE_PYTHON") or ROOT / ".venv" / "bin" / "python"
    answer = subprocess.run([python, HERE / "silent.py", fault.path], input=programs, capture_output=True, text=True,
                            check=True, timeout=1800)
    return json.loads(answer.stdout.splitlines()[-1])


MEASURES = {"found": measure_found, "reduce": measure_reduce, "pair": measure_pair, "silent": measure_silent}


def result_of(fault, part, options, number):
    """Of one part and program: kept, or measured now; None when it is neither."""
    file = KEPT / "results" / f"{fault.name}.{part}-{number}.json"
    key = hashlib.sha256((fault.source + fault.trigger).encode()).hexdigest()[:16]
    if file.exists() and not (options.again and part in options.parts):
        kept = json.loads(file.read_text())
        if kept["key"] == key:
            return kept["result"]
    if part not in options.parts or fault.name not in options.only:
        return None
    try:
        result = MEASURES[part](fault, options, number)
    except (KeyError, json.JSONDecodeError, subprocess.SubprocessError) as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    if result and "error" in result:
        return result
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"key": key, "result": result}, indent=1))
    return result


def share(part, whole):
    return f"{part}/{whole}" if whole else "-"


def told_of_found(fault, found, first):
    """A reduction too has seen the fault, though not what is seen when it is off."""
    if not found:
        return "on" if first.get("signature", [""])[0] in fault.classes else "-"
    return "yes" if is_found(fault, found) else f"{found['verdict']} {found['class']}, off {found['off']}"


def row_of(fault, results):
    found, rows, pair, silent = (results[part] for part in PARTS)
    good = [row for row in rows if row and "error" not in row]
    first = rows[0] or {}
    return [
        fault.name,
        fault.backend,
        told_of_found(fault, found, first),
        str(first.get("statements_before", "-")),
        str(first.get("statements", first.get("error", "-")[:20])),
        str(first.get("runs", "-")),
        f"{first['seconds']:.0f}" if "seconds" in first else "-",
        share(len({json.dumps(row["reduced"]) for row in good}), len(good)),
        "-" if not pair else pair["error"][:20] if "error" in pair else ("slip" if pair["slipped"] else "kept") + (
            " +other" if pair["other_seen"] else " alike" if pair["alike"] else " no other"),
        "-" if not silent else silent.get("error", "")[:20] or share(silent["shown"], silent["tests"]),
    ]


def is_found(fault, found):
    return found["verdict"] == "diverge" and found["class"] in fault.classes and found["off"] == "agree"


def print_table(known, table):
    head = ["fault", "backend", "found", "before", "after", "runs", "s", "signatures", "beside another", "shown"]
    rows = [head] + [row_of(known[name], results) for name, results in table.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print()


def purity(sightings):
    """Share of the sightings whose signature belongs, by majority, to their own fault; signatures a fault."""
    owners = {}
    for name, signature in sightings:
        owners.setdefault(signature, []).append(name)
    majority = {signature: max(sorted(set(names)), key=names.count) for signature, names in owners.items()}
    right = sum(majority[signature] == name for name, signature in sightings)
    each = {}
    for name, signature in sightings:
        each.setdefault(name, set()).add(signature)
    return right / len(sightings), statistics.mean(len(found) for found in each.values())


def first_seen(rows):
    """For each fault the place of its first finding, from 1, in the ranked list of all findings: (fault, row) pairs."""
    findings = {}  # one for each fault, program and what its reduced form says
    for fault, number, row in rows:
        file = KEPT / "reduced" / f"{fault.name}-{number}.py"
        if file.exists():
            findings.setdefault((fault.name, json.dumps(row["reduced"])), (row["reduced"], file))
    told = [{"kind": kind, "stage": stage, "frames": frames, "file": str(file)}
            for (kind, stage, *frames), file in findings.values()]
    answer = subprocess.run([BUILD / "bench" / "rank_files"], input=json.dumps(told), capture_output=True, text=True,
                            check=True)
    names = [name for name, _ in findings]
    seen = {}
    for place, index in enumerate(json.loads(answer.stdout), 1):
        seen.setdefault(names[index], place)
    return sorted(seen.values()), len(names)


def figures(known, table, figure):
    def of(part):
        return [(known[name], results[part]) for name, results in table.items() if results[part]]

    found = of("found")
    if found:
        figure("planted/found", sum(is_found(*pair) for pair in found) / len(found), "1")
    firsts = [rows[0] for _, rows in of("reduce") if rows[0] and "error" not in rows[0]]
    if firsts:
        for key, unit in (("statements", "statements"), ("runs", "runs"), ("seconds", "s")):
            figure(f"planted/reduce/{key}/median", statistics.median(row[key] for row in firsts), unit)
            figure(f"planted/reduce/{key}/most", max(row[key] for row in firsts), unit)
        figure("planted/reduce/finished", sum(row["finished"] for row in firsts) / len(firsts), "1")
    sightings = [(fault.name, json.dumps(row["reduced"])) for fault, rows in of("reduce") for row in rows
                 if row and "error" not in row]
    if sightings:
        pure, each = purity(sightings)
        figure("planted/signatures/purity", pure, "1")
        figure("planted/signatures/a_fault", each, "signatures")
        places, findings = first_seen([(fault, number, row) for fault, rows in of("reduce")
                                       for number, row in enumerate(rows) if row and "error" not in row])
        figure("planted/rank/findings", findings, "findings")
        figure("planted/rank/half_of_the_faults", places[(len(places) - 1) // 2], "place")
        figure("planted/rank/all_faults", places[-1], "place")
    pairs = [pair for _, pair in of("pair") if "error" not in pair]
    if pairs:
        figure("planted/pair/slips", sum(pair["slipped"] for pair in pairs), "slips")
        figure("planted/pair/pairs", len(pairs), "pairs")
        told = [pair for pair in pairs if not pair["alike"]]
        figure("planted/pair/others_reported", sum(pair["other_seen"] for pair in told) / max(1, len(told)), "1")
    silent = [one for _, one in of("silent") if "error" not in one]
    if silent:
        shares = [1 - one["shown"] / one["tests"] for one in silent if one["tests"]]
        figure("planted/silent/median", statistics.median(shares), "1")
        figure("planted/silent/least", min(shares), "1")


def main(words, figure):
    known = faults()
    parser = argparse.ArgumentParser(prog="./dev bench planted", description=__doc__.split("\n\n")[1])
    parser.add_argument("--only", help="faults, comma-separated", default=",".join(known))
    parser.add_argument("--parts", help=",".join(PARTS), default=",".join(PARTS))
    parser.add_argument("--jobs", type=int, default=2, help="candidates at a time in a reduction")
    parser.add_argument("--programs", type=int, default=3, help="programs to reduce for each fault")
    parser.add_argument("--silent", type=int, default=100, help="programs without the trigger")
    parser.add_argument("--again", action="store_true", help="measure afresh what is kept")
    options = parser.parse_args(words)
    options.known, options.only, options.parts = known, options.only.split(","), options.parts.split(",")
    for name in options.only:
        if name not in known:
            parser.error(f"there is no fault '{name}': {', '.join(known)}")
    table = {name: {} for name in known}
    for part in PARTS:
        for name, fault in known.items():
            if part == "reduce":
                table[name][part] = [result_of(fault, part, options, number) for number in range(options.programs)]
            else:
                table[name][part] = result_of(fault, part, options, PAIRED if part == "pair" else 0)
    print_table(known, {name: table[name] for name in options.only})
    figures(known, {name: table[name] for name in options.only}, figure)
    return 0
