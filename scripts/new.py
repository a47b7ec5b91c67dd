"""./dev new KIND NAME: a new rule from a template that builds and is picked up by the property tests."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Kind: its files, each from a template; the first is the rule itself.
KINDS = {
    "operator": [("operator.cpp", "seedgen/operators/{}.cpp")],
    "mutation": [("mutation.cpp", "mutate/mutations/{}.cpp")],
    "backend": [("backend.py", "pyrunner/backends/{}.py")],
    "oracle": [("oracle.cpp", "oracle/oracles/{}.cpp")],
    "pass": [("pass.cpp", "oracle/reduce/passes/{}.cpp"), ("pass.txt", "tests/reduce/cases/{}.txt")],
}


def refuse(sentence):
    print("dev:", sentence, file=sys.stderr)
    sys.exit(2)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        refuse("usage: ./dev new operator|mutation|backend|oracle|pass NAME")
    kind, name = sys.argv[1:]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        refuse(f"'{name}' must be snake_case: it is a file's name and the rule's")
    files = [(ROOT / "scripts" / "templates" / template, ROOT / place.format(name)) for template, place in KINDS[kind]]
    for _, path in files:
        if path.exists():
            refuse(f"{path.relative_to(ROOT)} exists already")
    camel = "".join(word.capitalize() for word in name.split("_"))
    for template, path in files:
        text = template.read_text(encoding="utf-8")
        path.write_text(text.replace("@NAME@", name).replace("@CLASS@", camel), encoding="utf-8")
        print(path.relative_to(ROOT))
    print(f"Now fill it in; docs/extending.md has the recipe. ./dev test fast runs the property tests over it.")


if __name__ == "__main__":
    main()
