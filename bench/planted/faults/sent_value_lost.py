"""Generators: what is sent into one arrives as None when it is a number."""
# shows: eager
# class: value
# breaks: torch._dynamo.variables.functions.LocalGeneratorObjectVariable.gen_send_ex2
# when: send of a number

import functools
import os

import torch
from torch._dynamo.variables import ConstantVariable
from torch._dynamo.variables.functions import LocalGeneratorObjectVariable


@functools.cache
def plant():
    send = LocalGeneratorObjectVariable.gen_send_ex2

    def lossy(self, tx, arg):
        return send(self, tx, ConstantVariable.create(None) if arg.is_python_constant() else arg)

    LocalGeneratorObjectVariable.gen_send_ex2 = lossy


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
