"""The set: small programs, each with a cause of its own, from tests/judge/diverge and the triggers of bench/planted."""

import ast
import dataclasses
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JUDGE = ROOT / "tests" / "judge"
PLANTED = ROOT / "bench" / "planted"

# What ends the process, takes long, or is about the machine: signatures of those have tests of their own.
_LEFT_OUT = {"hang", "memory", "strides_reported", "generated_code_not_taken", "limit_and_wrong", "helper_dies",
             "nothing_compiled_and_wrong", "denormals_left_off", "threads_left"}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    number: int
    cause: str  # the same for programs that meet the same fault
    backend: str  # the faulty compiler's file
    options: dict
    source: str  # with COMPILE_OPTIONS that name the case alone


def _head(text):
    return {match[1]: match[2] for match in re.finditer(r"^# (\w+): (.*)$", text, re.MULTILINE)}


def _without(text):
    """The program without its head and COMPILE_OPTIONS, and these."""
    tree = ast.parse(text)
    options, drop = {}, set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMPILE_OPTIONS":
            options = ast.literal_eval(node.value)
            drop.update(range(node.lineno, node.end_lineno + 1))
    lines = [line for number, line in enumerate(text.splitlines(), 1) if number not in drop]
    while lines and (lines[0].startswith("#") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines).rstrip() + "\n", options


def _case(name, index, cause, backend, text):
    source, options = _without(text)
    number = 7919 * (index + 3) + 101
    return Case(name, number, cause or f"{backend.stem} {options}", str(backend), options,
                f'{source}\n\nCOMPILE_OPTIONS = {{"case": {number}}}\n')


@functools.cache
def every():
    found = []
    for file in sorted((JUDGE / "diverge").glob("*.py")):
        text = file.read_text()
        head = _head(text)
        if file.stem in _LEFT_OUT or "oracle" in head or "report" in head:
            continue
        found.append(_case(file.stem, len(found), "", JUDGE / head["backend"], text))
    for file in sorted((PLANTED / "triggers").glob("*.py")):
        head = _head((PLANTED / "faults" / file.name).read_text())
        # C++ compilers and other oracles take hours for what the others say too.
        if head["shows"] == "inductor" or "flags" in head:
            continue
        found.append(_case(file.stem, 1000 + len(found), file.stem, PLANTED / "faults" / file.name, file.read_text()))
    return found


@functools.cache
def by_number():
    return {case.number: case for case in every()}


def number_in(source):
    match = re.search(r'COMPILE_OPTIONS = \{[^}]*"case": (\d+)', source.replace("'", '"'))
    return int(match[1]) if match else 0
