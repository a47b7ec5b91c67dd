"""Exception handling: of a tuple of classes only the first is looked at."""
# shows: eager
# class: value or raises or handler
# breaks: torch._dynamo.symbolic_convert.InstructionTranslatorBase.check_if_exc_matches
# when: except (A, B) and a B is raised

import functools
import os

import torch
from torch._dynamo.symbolic_convert import InstructionTranslatorBase
from torch._dynamo.variables import TupleVariable


@functools.cache
def plant():
    matches = InstructionTranslatorBase.check_if_exc_matches

    def hasty(self):
        if isinstance(self.stack[-1], TupleVariable):
            self.push(self.pop().items[0])
        return matches(self)

    InstructionTranslatorBase.check_if_exc_matches = hasty


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
