# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: a sum of halves whose sizes add up to infinity
# why: It is added up in float32, and is a thousand, not two.
import torch


def make_inputs():
    return (torch.tensor([40000.0, -40000.0, 30000.0, -30000.0, 1000.0], dtype=torch.float16),)


def program(x):
    return x.sum()


COMPILE_OPTIONS = {"operator": "sum", "fault": "doubled"}
