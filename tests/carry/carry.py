"""What ./dev carry writes runs without this tree: moved to another folder, with an empty environment, it generates the same
programs, and it finds its libraries and what the worker is built from in itself. Bad use gives one sentence and exit 2.

No Python with torch is needed: the worker is not built.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
# What every machine with glibc and g++ has.
SYSTEM = re.compile(r"^(linux-vdso\.so|/lib.*/ld-linux|lib(c|m|stdc\+\+|gcc_s|dl|rt|pthread|resolv)\.so)")
# As dev does it, but without a build.
WRITE = """set -euo pipefail
root=$1 carried_to=$3
die() { echo "dev: $*" >&2; exit 2; }
for part in setup build carry; do source "$root/scripts/$part.sh"; done
carried_build=$2
write_carried "$carried_to"
"""
INCLUDED = re.compile(r'^#include "([^"]+)"', re.M)


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **options)


def refused(answer, *parts):
    """Exit 2, and one sentence with these parts."""
    lines = answer.stderr.strip().splitlines()
    check(answer.returncode == 2 and len(lines) == 1 and not answer.stdout, f"no refusal in one sentence: {answer}")
    for part in parts:
        check(part in lines[0], f"'{part}' is not in: {lines[0]}")


def check_runs(carried):
    for words in (("generate", "--seed", "1"), ("list", "operators")):
        there = run(carried / "jitprobe", *words, env={}, cwd="/")
        here = run(BUILT / "app" / "jitprobe", *words)
        check(there.returncode == 0 and there.stdout, f"{words}: {there}")
        check(there.stdout == here.stdout, f"{words} gives something else than in this tree")


def check_libraries(carried):
    for program in ("jitprobe", "jitprobe-guard"):
        answer = run("ldd", carried / "bin" / program)
        check(answer.returncode == 0, f"ldd: {answer}")
        for line in answer.stdout.splitlines():
            name, _, rest = line.strip().partition(" ")
            file = rest.removeprefix("=> ").split(" (")[0]
            inside = os.path.realpath(file).startswith(f"{carried}/lib/")
            check(SYSTEM.match(name) or inside, f"{program} takes {name} from {file or 'nowhere'}")


def check_sources(carried):
    """Each file that the worker's sources include, and that is of this tree, is there."""
    waiting = sorted((carried / "pyrunner" / "worker").iterdir())
    check(len(waiting) > 10, f"the worker's sources: {waiting}")
    seen = set()
    while waiting:
        file = waiting.pop()
        for name in INCLUDED.findall(file.read_text(encoding="utf-8")):
            check((carried / name).is_file(), f"{file} includes {name}, which is missing")
            if name not in seen:
                seen.add(name)
                waiting.append(carried / name)
    for name in ("include/nlohmann/json.hpp", "cmake/faster.cmake", "pyrunner/runtime/serve.py", "pyrunner/backends/inductor.py",
                 "pyrunner/harvest/main.py", "pyrunner/importing/main.py", "corpus/known", "corpus/models", "core/dtype.cpp"):
        check((carried / name).exists(), f"{name} is missing")
    left = [path for path in carried.rglob("*") if path.name == "__pycache__"]
    check(not left, f"compiled Python was carried: {left}")


def check_bad_use(work, carried):
    dev = ROOT / "dev"
    refused(run(dev, "carry"), "--to")
    refused(run(dev, "carry", "--to"), "--to")
    refused(run(dev, "carry", "here"), "here")
    refused(run(dev, "carry", "--python", "/usr/bin/python3", "--to", work / "new"), "--python")
    (work / "full").mkdir()
    (work / "full" / "file").touch()
    refused(run(dev, "carry", "--to", work / "full"), "other files")
    refused(run(dev, "carry", "--to", work / "full" / "file"), "no folder")
    refused(run(carried / "jitprobe", "--python", "/nowhere/python", "doctor"), "/nowhere/python")
    bare = work / "python"
    bare.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    bare.chmod(0o755)
    refused(run(carried / "jitprobe", "--python", bare, "doctor"), "has no torch")
    refused(run(carried / "jitprobe", "--python", bare, "doctor", env=os.environ | {"CXX": "no-such-compiler"}),
            "no-such-compiler")


def main():
    with tempfile.TemporaryDirectory(prefix="jitprobe-test-") as name:
        work = pathlib.Path(name).resolve()
        first, carried = work / "first", work / "moved here"
        first.mkdir()
        written = run("bash", "-c", WRITE, "bash", ROOT, BUILT, first)
        check(written.returncode == 0, f"nothing was written: {written}")
        first.rename(carried)
        check_runs(carried)
        check_libraries(carried)
        check_sources(carried)
        check_bad_use(work, carried)
        again = run("bash", "-c", WRITE, "bash", ROOT, BUILT, carried)
        check(again.returncode == 0, f"it can't be written again: {again}")
        check_runs(carried)
    print("what was carried needs nothing of this tree")


if __name__ == "__main__":
    main()
