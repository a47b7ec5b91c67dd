"""Models of others as straight-line programs.

A source (`program_file`, `archive`, `onnx_model`) makes an Original of a file: something that runs in eager, and its
arguments. `record` runs it once and keeps its calls of torch, as instances of `harvest`; `flat` writes them as a program
file, one statement a call, the weights among the arguments; `agree` runs both and compares.
"""

import dataclasses
import typing


class CannotImport(Exception):
    """A file that no program can be made of; its text is a sentence."""


@dataclasses.dataclass
class Original:
    """What a file holds."""

    title: str  # what it is, for the head of the program
    run: typing.Callable  # run(*args) gives the outputs; the same each time when its tensors hold the same
    args: tuple
    # What a second implementation gives for these arguments: reference(args) -> [tensors], or raises CannotImport.
    reference: typing.Callable | None = None
    options: dict = dataclasses.field(default_factory=dict)  # COMPILE_OPTIONS
    notes: list = dataclasses.field(default_factory=list)  # what the program leaves out, a sentence each
