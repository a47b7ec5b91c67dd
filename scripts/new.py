"""./dev new KIND NAME: a new rule, and its test, from templates that build and pass."""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "scripts" / "templates"
# Kind: its files, each from a template; the first is the rule itself. Templates end in .in, so that no formatter takes
# them for code.
KINDS = {
    "operator": [("operator.cpp.in", "seedgen/operators/{}.cpp")],
    "table": [("table.cpp.in", "seedgen/tables/{}.cpp")],
    "mutation": [("mutation.cpp.in", "mutate/mutations/{}.cpp"), ("mutation.txt.in", "tests/mutate/cases/{}.txt")],
    "backend": [("backend.py.in", "pyrunner/backends/{}.py")],
    "oracle": [("oracle.cpp.in", "oracle/oracles/{}.cpp"), ("oracle_test.cpp.in", "tests/oracle/{}_test.cpp")],
    "pass": [("pass.cpp.in", "oracle/reduce/passes/{}.cpp"), ("pass.txt.in", "tests/reduce/cases/{}.txt")],
}
# What to run once it is filled in.
THEN = {
    "operator": "./dev test fast and ./dev test torch draw it and run it in eager",
    "table": "./dev test fast draws its programs and ./dev test torch runs them in eager",
    "mutation": "./dev test fast runs its cases and the property tests over it, ./dev bless rewrites what they expect",
    "backend": "./dev run doctor --backend {} runs the self-test with it",
    "oracle": "./dev test fast runs its test and the property tests over it",
    "pass": "./dev test fast runs its cases and the property tests over it, ./dev bless rewrites what they expect",
}


def refuse(sentence):
    print("dev:", sentence, file=sys.stderr)
    sys.exit(2)


def filled(template, name):
    """The text of a template for a rule of that name."""
    camel = "".join(word.capitalize() for word in name.split("_"))
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    return text.replace("@NAME@", name).replace("@CLASS@", camel)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        refuse("usage: ./dev new operator|table|mutation|backend|oracle|pass NAME")
    kind, name = sys.argv[1:]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        refuse(f"'{name}' must be snake_case: it is a file's name and the rule's")
    files = [(template, ROOT / place.format(name)) for template, place in KINDS[kind]]
    for _, path in files:
        if path.exists():
            refuse(f"{path.relative_to(ROOT)} exists already")
    for template, path in files:
        path.write_text(filled(template, name), encoding="utf-8")
        if path.suffix == ".cpp" and shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", path], check=True)
        print(path.relative_to(ROOT))
    print(f"Now fill it in; docs/extending.md has the recipe. {THEN[kind].format(name)}.")


if __name__ == "__main__":
    main()
