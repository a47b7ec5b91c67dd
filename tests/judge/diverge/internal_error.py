# judge: diverge
# backend: backends/ends.py
# class: compiler_error
# construct: hardtanh
# why: An assertion of the compiler fails on a program that eager runs.
import torch


def make_inputs():
    return (torch.tensor([-3.0, 0.5]),)


def program(x):
    return torch.nn.functional.hardtanh(x)


COMPILE_OPTIONS = {"fault": "assertion"}
