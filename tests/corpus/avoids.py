"""avoids.py [--python PATH] [FILE…]: the `# avoid:` and `# around:` lines of the corpus do what they say.

Each file with such a line is run by itself; where its bug is there (exit 1), a copy of it with that line behind its
imports must show none (exit 0). Where the bug is gone there is nothing to avoid, so that no torch makes this fail by
having no bugs. Lines that name a switch are read, not run.
"""

import argparse
import ast
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def head_of(text):
    """(key, value) of each line of a file's head, in order."""
    for line in text.splitlines():
        if not line.startswith("#"):
            return
        key, colon, value = line[1:].strip().partition(": ")
        if colon:
            yield key, value


def is_import(node):
    body = node.body if isinstance(node, ast.Try) else [node]
    return all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in body)


def with_line(text, line):
    """The file with this line behind its imports."""
    lines = text.splitlines(keepends=True)
    behind = max(node.end_lineno for node in ast.parse(text).body if is_import(node))
    return "".join([*lines[:behind], line + "\n", *lines[behind:]])


def run(python, text, folder):
    """(exit status, last line of what it said)."""
    path = pathlib.Path(folder) / "program.py"
    path.write_text(text)
    # Caches off: a line that patches the compiler must not get what it made without.
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": f"{folder}/cache", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
    done = subprocess.run([python, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                          env=environment)
    return done.returncode, (done.stdout.strip().splitlines() or [""])[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", default=os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv/bin/python")))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or sorted((ROOT / "corpus").glob("*/*.py"))
    tried = gone = wrong = 0
    for path in files:
        text = path.read_text()
        lines = [value for key, value in head_of(text) if key in ("avoid", "around") and not value.startswith("switch ")]
        for line in lines:
            with tempfile.TemporaryDirectory() as folder:
                plain, said = run(options.python, text, folder)
                if plain == 0:
                    gone += 1
                    continue
                status, said_with = run(options.python, with_line(text, line), folder) if plain == 1 else (plain, said)
            tried += 1
            if plain != 1 or status != 0:
                wrong += 1
                print(f"{path.name}: exit {plain} without, {status} with\n  {line}\n  {said_with[:300]}")
    print(f"{tried} lines make their bug go away, but {wrong}; {gone} bugs are gone by themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
