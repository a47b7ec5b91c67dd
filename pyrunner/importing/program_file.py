"""A program file, a model of corpus/models among them, as an Original: what its first call runs."""

import pathlib
import sys

import torch

from harvest import check
from runtime import load

from . import CannotImport, Original

# What a straight line has nothing of.
_MORE = {"before_call": "what before_call does for later calls", "observe": "what observe() looks at"}


def original(path, options):
    """Raises CannotImport."""
    torch.manual_seed(0)
    try:
        source = pathlib.Path(path).read_text(encoding="utf-8")
        module = load.load({"source": source, "path": path}, str(pathlib.Path(path).resolve()))
        entry = load.entry_of(module, options.entry)
        made = module.__dict__[options.inputs]() if options.inputs in module.__dict__ else ()
        calls = load.calls_of(made, options.inputs)
        compile_options = load.compile_options(module)
        if "before_call" in module.__dict__:
            module.before_call(0)
    except load.BadUse as wrong:
        raise CannotImport(str(wrong)) from None
    except (Exception, SystemExit) as error:
        raise CannotImport(f"it can't be loaded: {check.short(error)}") from None
    sys.modules.pop(module.__name__, None)
    notes = [f"Left out: {what}." for name, what in _MORE.items() if name in module.__dict__]
    if len(calls) > 1:
        notes.append(f"The first of {len(calls)} calls.")
    return Original(title=f"{pathlib.Path(path).name}, made a straight line.", run=entry, args=calls[0],
                    options=compile_options, notes=notes)
