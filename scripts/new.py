"""./dev new KIND NAME: a new rule from a template that builds and is picked up by the property tests."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {
    "operator": ("operator.cpp", "seedgen/operators/{}.cpp"),
    "mutation": ("mutation.cpp", "mutate/mutations/{}.cpp"),
    "backend": ("backend.py", "pyrunner/backends/{}.py"),
    "oracle": ("oracle.cpp", "oracle/oracles/{}.cpp"),
}


def refuse(sentence):
    print("dev:", sentence, file=sys.stderr)
    sys.exit(2)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS | {"pass": None}:
        refuse("usage: ./dev new operator|mutation|backend|oracle NAME")
    kind, name = sys.argv[1:]
    if kind == "pass":
        refuse("there are no reduction passes before the reducer itself: this version has none")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        refuse(f"'{name}' must be snake_case: it is a file's name and the rule's")
    template, place = KINDS[kind]
    path = ROOT / place.format(name)
    if path.exists():
        refuse(f"{path.relative_to(ROOT)} exists already")
    text = (ROOT / "scripts" / "templates" / template).read_text(encoding="utf-8")
    camel = "".join(word.capitalize() for word in name.split("_"))
    path.write_text(text.replace("@NAME@", name).replace("@CLASS@", camel), encoding="utf-8")
    print(path.relative_to(ROOT))
    print(f"Now fill it in; docs/extending.md has the recipe. ./dev test fast runs the property tests over it.")


if __name__ == "__main__":
    main()
