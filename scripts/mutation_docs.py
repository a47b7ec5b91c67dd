"""Writes docs/mutations.md: what each mutation does, from the comment at the head of its file.

    mutation_docs.py          writes it
    mutation_docs.py --check  says whether it is what the files give; exit 1 when not (./dev check)
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "mutations.md"
HEAD = """# The mutations, one by one

What each of them does, with an example: the program before on the left or above, after it on the right or below. A site
path is what a step's text names behind the statement ([formats](formats.md#steps)). [mutating.md](mutating.md) says how
they are used and what they are worth. Written by `scripts/mutation_docs.py` from the files in `mutate/mutations`.
"""


def head_of(text):
    """The comment before the first line of code, without its slashes."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return lines


def section(path):
    """Examples, which stand four spaces further in, become blocks of code."""
    blocks, code = [], False
    for line in head_of(path.read_text(encoding="utf-8")):
        indented = line.startswith("    ")
        if line and indented != code:
            while blocks and not blocks[-1]:
                blocks.pop()
            blocks += ["", "```python"] if indented else ["```", ""]
            code = indented
        blocks.append(line[4:] if code else line)
    if code:
        blocks.append("```")
    return re.sub(r"\n{3,}", "\n\n", f"## {path.stem}\n\n" + "\n".join(blocks).strip() + "\n")


def document():
    return HEAD + "".join("\n" + section(path) for path in sorted((ROOT / "mutate" / "mutations").glob("*.cpp")))


def main():
    text = document()
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text:
            print("docs/mutations.md says what the files of the mutations say")
            return 0
        print("docs/mutations.md isn't what the files of the mutations say: run scripts/mutation_docs.py")
        return 1
    DOCUMENT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
