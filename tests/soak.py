"""./dev soak [NAME]: the long forms of the tests. Each prints what it did and whether it held; exit 1 when one did not.

generate   10,000 generated programs in eager: accepted, inferred types right, outputs finite
clean      1,000 tests through a backend that compiles nothing: not one report of any kind
resume     the kill -9 and resume test, five times
real       other people's packages under every backend (real/run.py); one report that is no known bug fails it
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "campaign"))
import common  # noqa: E402

IDENTITY = "def compile(fn, **options):\n    return lambda *args, **kwargs: fn(*args, **kwargs)\n"


def generate():
    dump = common.JITPROBE.parent.parent / "tests" / "seedgen_dump"
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    pipe = subprocess.Popen([dump, "0", "10000"], stdout=subprocess.PIPE)
    checker = subprocess.run([python, HERE / "seedgen" / "check_programs.py"], stdin=pipe.stdout)
    return checker.returncode == 0 and pipe.wait() == 0


def clean():
    with tempfile.TemporaryDirectory() as folder:
        backend = pathlib.Path(folder) / "identity.py"
        backend.write_text(IDENTITY, encoding="utf-8")
        answer = common.jitprobe("fuzz", "--backend", backend, "--tests", 1000, "--seed", 1, "--campaign",
                                 f"{folder}/campaign", "--json", timeout=7200)
        print(answer.stdout.strip() or answer.stderr[-2000:])
        result = common.last_json(answer)
        return answer.returncode == 0 and not any(result[key] for key in ("divergences", "findings", "flaky"))


def resume():
    return all(subprocess.run([sys.executable, HERE / "campaign" / "resume.py"]).returncode == 0 for _ in range(5))


def real():
    return subprocess.run([sys.executable, HERE / "real" / "run.py"]).returncode == 0


SOAKS = {"generate": generate, "clean": clean, "resume": resume, "real": real}

if __name__ == "__main__":
    names = sys.argv[1:] or list(SOAKS)
    for name in names:
        if name not in SOAKS:
            print(f"dev: there is no soak '{name}': {', '.join(SOAKS)}", file=sys.stderr)
            sys.exit(2)
    failed = []
    for name in names:
        print(f"{name}:", flush=True)
        if not SOAKS[name]():
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all held")
    sys.exit(1 if failed else 0)
