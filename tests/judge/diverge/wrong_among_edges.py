# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: round of many borderline elements and a clear one
# why: The last element stands far from the edge on which the others stand.
import torch


def make_inputs():
    return (torch.cat([(torch.arange(1.0, 30) - 0.5) * 0.3, torch.tensor([0.63])]),)


def program(x):
    return (x / 0.3).round()


COMPILE_OPTIONS = {"operator": "round", "fault": "last_off"}
