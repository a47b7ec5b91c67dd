# judge: diverge
# backend: backends/wrong_kernels.py
# class: dtype
# construct: abs of complex64
# why: The result is float32.
import torch


def make_inputs():
    return (torch.tensor([3 + 4j, 1j]),)


def program(x):
    return x.abs()


COMPILE_OPTIONS = {"operator": "abs", "fault": "widened"}
