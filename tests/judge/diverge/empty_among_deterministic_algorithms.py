# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: empty among deterministic algorithms
# why: Then torch promises that fresh memory is NaN.
import torch


def make_inputs():
    return (torch.zeros(3),)


def program(x):
    torch.use_deterministic_algorithms(True)
    y = torch.empty(3)
    torch.use_deterministic_algorithms(False)
    return x + y


COMPILE_OPTIONS = {"operator": "empty", "fault": "zeros"}
