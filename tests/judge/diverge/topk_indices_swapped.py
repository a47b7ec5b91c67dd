# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: topk, indices only
# why: Values stand in order, their indices don't.
import torch


def make_inputs():
    return (torch.tensor([3.0, 9.0, 1.0, 6.0]),)


def program(x):
    return x.topk(3)


COMPILE_OPTIONS = {"operator": "topk", "fault": "swapped", "part": 1}
