# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: expanded argument that make_inputs has written to
# why: What was written before the call is no write through overlapping memory.
import torch


def make_inputs():
    base = torch.zeros(1, 3)
    base[0, 0] = 1.0
    return (base.expand(4, 3), torch.ones(3))


def program(x, y):
    return x.amax(0), y.sqrt()


COMPILE_OPTIONS = {"operator": "sqrt", "fault": "doubled"}
