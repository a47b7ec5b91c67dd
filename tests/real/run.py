"""./dev soak real [NAME…]: functions and modules of other people's packages, eager against every backend.

Each file in programs/ is judged under eager, aot_eager, aot_eager_decomp_partition and inductor. Two simpler judges look
at the same outcomes: whether every recorded value is equal bit for bit, and whether every float is within the default
tolerances of torch.testing. A report that is no bug of torch is a bug of ours, so the one number that has to be 0 is that
of reports which are not in known.txt (a program, a backend and the reason why it is a real bug, a line).

The packages live in an environment of their own, .deps/real/venv (requirements.txt). What is done is kept in
.deps/real/results.jsonl and not done again, unless the program or --label changed; --fresh forgets it.

  --folder DIR      instead of .deps/real
  --python PATH     an environment that has the packages already
  --jitprobe PATH   instead of build/release/app/jitprobe; JITPROBE_REAL_WORKER names a worker that is built already
  --label TEXT      what is tested, when it changes (default: the project's commit)
"""

import argparse
import array
import base64
import hashlib
import json
import math
import os
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BACKENDS = ["eager", "aot_eager", "aot_eager_decomp_partition", "inductor"]
TOLERANCES = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7),
              "complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7)}
REGIONS = ("output", "inputs", "gradients", "late")


def environment(folder):
    """The Python that has the packages; they are installed where they are missing."""
    venv = folder / "venv"
    wanted = (HERE / "requirements.txt").read_text(encoding="utf-8")
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        print("real: installing packages (about one gigabyte)", flush=True)
        subprocess.run([ROOT / ".venv/bin/python", "-m", "venv", "--clear", venv], check=True)
        subprocess.run([venv / "bin/python", "-m", "pip", "install", "-q", "--progress-bar", "off", "-r",
                        HERE / "requirements.txt"], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return venv / "bin/python"


def worker(options):
    """The worker for that Python, built in the folder; silent when there is nothing to do."""
    if given := os.environ.get("JITPROBE_REAL_WORKER"):
        return given
    built = options.folder / "worker"
    tools = ROOT / ".venv/bin/python"
    pybind = subprocess.run([tools, "-m", "pybind11", "--cmakedir"], capture_output=True, text=True, check=True)
    steps = [["cmake", "-S", ROOT / "pyrunner/worker", "-B", built, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
              f"-DPython_EXECUTABLE={options.python}", f"-Dpybind11_DIR={pybind.stdout.strip()}"], ["ninja", "-C", built]]
    for step in steps:
        answer = subprocess.run(step, capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit(f"real: the worker for {options.python} can't be built: {(answer.stdout + answer.stderr)[-2000:]}")
    return built / "jitprobe-worker"


def judge(options, program):
    """The list that `jitprobe run --json` prints, one entry a backend, or a text that says why there is none."""
    command = [options.jitprobe, "run", program, "--backend", "ladder", "--json", "--limit", str(options.limit)]
    variables = {"JITPROBE_ROOT": ROOT} | os.environ | {"JITPROBE_WORKER": options.worker,
                                                        "JITPROBE_PYTHON": options.python}
    answer = subprocess.run(command, env=variables, capture_output=True, text=True)
    try:
        parsed = json.loads(answer.stdout)
        return parsed if isinstance(parsed, list) else [parsed]
    except json.JSONDecodeError:
        return answer.stderr[-2000:] or f"exit {answer.returncode} without a word"


def leaves(value, path, tensors):
    """(place, tensor or text) for each leaf of a recorded value."""
    if value.get("kind") == "tensor":
        yield path, tensors[value["index"]]
    elif "items" in value:
        labels = value.get("labels") or range(len(value["items"]))
        yield path, f"{value['type']} of {len(value['items'])}"
        for label, item in zip(labels, value["items"]):
            yield from leaves(item, f"{path}[{label}]", tensors)
    else:
        yield path, f"{value.get('type')} {value.get('text')}"


def shown(observation):
    found = {}
    for number, call in enumerate(observation.get("calls", [])):
        for region in REGIONS:
            if region in call:
                found.update(leaves(call[region], f"call {number} {region}", observation.get("tensors", [])))
        for phase in ("exception", "backward_exception"):
            if phase in call:
                found[f"call {number} {phase}"] = str(call[phase].get("type"))
    return found


def raw(tensor):
    return base64.b64decode(tensor.get("bytes", {}).get("base64", ""))


def numbers(tensor):
    data, dtype = raw(tensor), tensor["dtype"]
    if dtype == "float16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    if dtype == "bfloat16":
        return struct.unpack(f"<{len(data) // 2}f", b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2)))
    return array.array("f" if dtype in ("float32", "complex64") else "d", data)


def excess(eager, compiled):
    """The largest difference of two float tensors in units of the default tolerance; infinite where NaNs don't meet."""
    relative, absolute = TOLERANCES[eager["dtype"]]
    largest = 0.0
    for one, other in zip(numbers(eager), numbers(compiled)):
        if one == other or (math.isnan(one) and math.isnan(other)):
            continue
        difference = abs(one - other)
        largest = max(largest, difference / (absolute + relative * abs(one)) if math.isfinite(difference) else math.inf)
    return largest


def simple_judges(outcomes):
    """(number of leaves, how many differ in bits, largest excess over the default tolerance)."""
    ends = {outcome["role"]: outcome["ending"] for outcome in outcomes}
    sides = [ends.get(role, {}) for role in ("eager", "compiled")]
    if any(side.get("kind") != "finished" for side in sides):
        return 0, 0, 0.0
    eager, compiled = (shown(side["observation"]) for side in sides)
    differ, largest = len(eager.keys() ^ compiled.keys()), 0.0
    for place in eager.keys() & compiled.keys():
        one, other = eager[place], compiled[place]
        if isinstance(one, str) or isinstance(other, str):
            same = one == other
        else:
            alike = one["dtype"] == other["dtype"] and one.get("shape") == other.get("shape")
            same = alike and raw(one) == raw(other)
            if not same:
                is_float = alike and one["dtype"] in TOLERANCES
                largest = max(largest, excess(one, other) if is_float else math.inf)
        differ += not same
    return len(eager), differ, largest


def row(name, entry):
    verdict = entry["verdict"]
    total, differ, largest = simple_judges(entry.get("outcomes", []))
    decisions = verdict.get("decisions", [])
    return {"program": name, "backend": entry["backend"], "verdict": verdict["kind"],
            "rule": verdict.get("rule", verdict.get("mismatch", "")), "leaves": total, "differ": differ,
            "excess": largest if math.isfinite(largest) else "inf",
            "seconds": round(sum(outcome.get("seconds", 0) for outcome in entry.get("outcomes", [])), 2),
            "detail": {key: value for key, value in verdict.items() if key not in ("kind", "decisions")},
            "decisions": decisions[:20]}


def known_bugs():
    path = HERE / "known.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(line.split(None, 2)[:2]) for line in lines if line.strip() and not line.startswith("#")}


def table(rows):
    names = sorted({item["program"] for item in rows})
    by_key = {(item["program"], item["backend"]): item for item in rows}
    print(f"{'program':34}" + "".join(f"{backend[:26]:>28}" for backend in BACKENDS))
    for name in names:
        cells = []
        for backend in BACKENDS:
            item = by_key.get((name, backend))
            if item is None:
                cells.append("not run")
                continue
            beyond = f" {item['excess']:.3g}x" if item["excess"] != "inf" and item["excess"] > 1 else ""
            beyond = " inf" if item["excess"] == "inf" else beyond
            cells.append(f"{item['verdict']} {item['differ']}/{item['leaves']}{beyond}")
        print(f"{name:34}" + "".join(f"{cell:>28}" for cell in cells))
    print("\nverdict, leaves that differ in bits of all, largest excess over torch.testing's default tolerance\n")
    classes = sorted({(item["verdict"], item["rule"]) for item in rows})
    print(f"{'verdict (rule)':44}" + "".join(f"{backend[:26]:>28}" for backend in BACKENDS))
    for verdict, rule in classes:
        counts = [sum((item["verdict"], item["rule"], item["backend"]) == (verdict, rule, backend) for item in rows)
                  for backend in BACKENDS]
        print(f"{verdict + ' (' + rule + ')':44}" + "".join(f"{count:>28}" for count in counts))
    for title, wanted in (("differ in bits", lambda item: item["differ"] > 0),
                          ("beyond the default tolerance",
                           lambda item: item["excess"] == "inf" or item["excess"] > 1)):
        counts = [sum(wanted(item) and item["backend"] == backend for item in rows) for backend in BACKENDS]
        print(f"{title:44}" + "".join(f"{count:>28}" for count in counts))


def parse():
    parser = argparse.ArgumentParser(prog="./dev soak real")
    parser.add_argument("names", nargs="*", help="programs; all without any")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".deps/real")
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--jitprobe", type=pathlib.Path, default=ROOT / "build/release/app/jitprobe")
    parser.add_argument("--label")
    parser.add_argument("--limit", type=int, default=240, help="seconds for each run")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--table", action="store_true", help="print what is there, run nothing")
    options = parser.parse_args()
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    options.label = options.label or commit.stdout.strip()
    return options


def main():
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    kept = options.folder / "results.jsonl"
    if options.fresh:
        kept.unlink(missing_ok=True)
    programs = sorted((HERE / "programs").glob("*.py"))
    if unknown := set(options.names) - {path.stem for path in programs}:
        sys.exit(f"real: there is no program '{unknown.pop()}'")
    if not options.table:
        options.python = options.python or environment(options.folder)
        options.worker = worker(options)
    done = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []:
        item = json.loads(line)
        done[item["key"], item["backend"]] = item
    rows = []
    broken = []
    for path in programs:
        if options.names and path.stem not in options.names:
            continue
        text = path.read_bytes() + options.label.encode()
        key = f"{path.stem} {hashlib.sha256(text).hexdigest()[:12]}"
        if not all((key, backend) in done for backend in BACKENDS) and not options.table:
            answer = judge(options, path)
            if isinstance(answer, str):
                broken.append(path.stem)
                print(f"{path.stem}: {answer}", flush=True)
                continue
            with open(kept, "a", encoding="utf-8") as sink:
                for entry in answer:
                    item = {"key": key, "label": options.label, **row(path.stem, entry)}
                    done[key, item["backend"]] = item
                    sink.write(json.dumps(item) + "\n")
            print(f"{path.stem}: " + ", ".join(entry["verdict"]["kind"] for entry in answer), flush=True)
        rows += [done[key, backend] for backend in BACKENDS if (key, backend) in done]
    table(rows)
    known = known_bugs()
    reports = [item for item in rows if item["verdict"] == "diverge"]
    unexplained = [item for item in reports if (item["program"], item["backend"]) not in known]
    unjudged = [item for item in rows if item["verdict"] in ("rejected", "unstable")]
    for item in reports + unjudged:
        mark = "" if item in unjudged else "known: " if item not in unexplained else "NEW: "
        print(f"{mark}{item['program']} on {item['backend']}: {item['verdict']} {json.dumps(item['detail'])[:600]}")
    print(f"{len(rows)} judged, {len(reports)} reports, {len(unexplained)} of them not known, "
          f"{len(unjudged)} rejected or unstable, {len(broken)} without an answer")
    sys.exit(1 if unexplained or unjudged or broken else 0)


if __name__ == "__main__":
    main()
