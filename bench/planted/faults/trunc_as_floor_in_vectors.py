"""One operator is lowered as another, in vector code only: trunc as floor."""
# shows: inductor
# class: value
# breaks: torch._inductor.codegen.cpp.CppVecOverrides.trunc
# when: trunc of a vector of numbers below 0

import functools
import os

import torch
from torch._inductor.codegen.cpp import CppVecOverrides


@functools.cache
def plant():
    def trunc(x):  # looked up again by its name
        return f"{x}.floor()"

    CppVecOverrides.trunc = staticmethod(trunc)


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
