"""Checks the templates of ./dev new: every kind has them, nothing has broken their marks, and what they give is Python
that compiles, or C++ as clang-format writes it (where clang-format is installed).

Prints one line for each breach; exit 1 when there is one. Run by ./dev check and by the tests.
"""

import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import new  # noqa: E402

# Short: a longer name may break a line elsewhere, and ./dev new formats what it writes.
NAME = "melt"
# Marks that a formatter took apart: "@CLASS @", "@ NAME@".
MARK = re.compile(r"@\s*(NAME|CLASS)\s*@")


def breaches():
    used = {template for files in new.KINDS.values() for template, _ in files}
    there = {path.name for path in new.TEMPLATES.iterdir()}
    for name in sorted(used ^ there):
        yield f"scripts/templates/{name}: {'is missing' if name in used else 'belongs to no kind of scripts/new.py'}"
    for template in sorted(used & there):
        for found in MARK.finditer((new.TEMPLATES / template).read_text(encoding="utf-8")):
            if found.group() not in ("@NAME@", "@CLASS@"):
                yield f"scripts/templates/{template}: {found.group()!r} is no mark"
    for kind, files in new.KINDS.items():
        for template, place in files:
            if template not in there:
                continue
            text = new.filled(template, NAME)
            path = place.format(NAME)
            if path.endswith(".py"):
                try:
                    compile(text, path, "exec")
                except SyntaxError as error:
                    yield f"scripts/templates/{template}: {error}"
            elif path.endswith(".cpp") and shutil.which("clang-format"):
                formatted = subprocess.run(["clang-format", f"--assume-filename={new.ROOT / path}"], input=text, check=True,
                                           capture_output=True, text=True).stdout
                if formatted != text:
                    yield f"scripts/templates/{template}: clang-format writes the {kind} made of it otherwise"


if __name__ == "__main__":
    found = list(breaches())
    print("\n".join(found) if found else "templates: all as they should be")
    sys.exit(1 if found else 0)
