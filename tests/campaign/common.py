"""What the campaign tests share: where jitprobe is, and a check that says what went wrong."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release")) / "app" / "jitprobe"


def jitprobe(*words, env=None, timeout=600, cwd=None):
    """Runs jitprobe with these words; the finished process with text output."""
    return subprocess.run([str(JITPROBE), *map(str, words)], capture_output=True, text=True, timeout=timeout, cwd=cwd,
                          env=os.environ | (env or {}))


def last_json(answer):
    lines = answer.stdout.strip().splitlines()
    check(lines, f"nothing on standard output; standard error: {answer.stderr[-2000:]}")
    return json.loads(lines[-1])


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def folder():
    """A temporary folder that removes itself."""
    return tempfile.TemporaryDirectory(prefix="jitprobe-test-")
