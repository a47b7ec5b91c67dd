# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: isnan, as fast mathematics has it
# why: NaN is taken for an ordinary number.
import torch


def make_inputs():
    return (torch.tensor([1.0, float("nan"), 3.0]),)


def program(x):
    return torch.where(x != x, torch.zeros(()), x)


COMPILE_OPTIONS = {"operator": "ne", "fault": "all_false"}
