"""Five of the faulty compilers of bench/planted in small: found, silent with the fault off, and some of them reduced to
what matters.

All five triggers stand in one small generated program for finding; each of three alone in it for reducing.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLANTED = ROOT / "bench" / "planted"
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release")) / "app" / "jitprobe"
sys.path.insert(0, str(PLANTED))

import merge  # noqa: E402

FOUND = ("cleared_list_kept", "copy_back_to_offset_lost", "first_of_classes_only", "fmin_as_minimum", "stale_capture")
# What must stand in the reduced program, and how many statements its `program` may have.
REDUCED = {
    "cleared_list_kept": (".clear()", 2),
    "copy_back_to_offset_lost": ("neg_", 1),
    "fmin_as_minimum": ("fmin", 1),
}


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def jitprobe(*words, fault=True):
    return subprocess.run([str(JITPROBE), *map(str, words)], capture_output=True, text=True, timeout=300,
                          env=os.environ | {"PLANTED_FAULT": "1" if fault else "0", "JITPROBE_READABLE": str(PLANTED)})


def trigger(name):
    return (PLANTED / "triggers" / f"{name}.py").read_text()


def backend(name):
    return PLANTED / "faults" / f"{name}.py"


def kinds(file, names, fault):
    """The verdict under each of the backends."""
    flags = [word for name in names for word in ("--backend", backend(name))]
    answer = jitprobe("run", file, *flags, "--json", fault=fault)
    told = [json.loads(line) for line in answer.stdout.splitlines() if line.startswith(("{", "["))]
    told = told[0] if told and isinstance(told[0], list) else told
    check(len(told) == len(names), f"{len(told)} answers for {len(names)} backends: {answer.stderr[-1000:]}")
    return {name: one["verdict"]["kind"] for name, one in zip(names, told)}


def reduced(work, surrounding, name):
    file = work / f"{name}.py"
    file.write_text(merge.plant(surrounding, [trigger(name)], seed=name))
    answer = jitprobe("reduce", file, "--backend", backend(name), "--json")
    check(answer.returncode == 0, f"{name}: exit {answer.returncode}: {answer.stderr[-1000:]}")
    return json.loads(answer.stdout.splitlines()[-1])


def main():
    with tempfile.TemporaryDirectory(prefix="jitprobe-test-") as folder:
        work = pathlib.Path(folder)
        surrounding = jitprobe("generate", "--seed", 3, "--ops", 4, "--out", "-").stdout
        together = work / "together.py"
        together.write_text(merge.plant(surrounding, [trigger(name) for name in FOUND], seed="together"))
        on = kinds(together, FOUND, True)
        check(set(on.values()) == {"diverge"}, f"not all are found: {on}")
        off = kinds(together, FOUND, False)
        check(set(off.values()) == {"agree"}, f"not silent with the fault off: {off}")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda name: (name, reduced(work, surrounding, name)), REDUCED)
        for name, result in results:
            kept, most = REDUCED[name]
            print(f"{name}: {result['statements_before']} -> {result['statements']} statements, {result['runs']} runs")
            check(result["finished"], f"{name} did not come to its end")
            check(kept in result["source"] and result["statements"] <= most, f"{name}:\n{result['source']}")
    print("ok")


if __name__ == "__main__":
    main()
