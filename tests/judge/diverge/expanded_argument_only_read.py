# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: expanded argument that is read, never written
# why: Overlapping memory is no excuse where nothing is written.
import torch


def make_inputs():
    return (torch.arange(3.0).expand(4, 3),)


def program(x):
    return x.sum(0)


COMPILE_OPTIONS = {"operator": "sum", "fault": "doubled"}
