# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: cat of values computed in bfloat16 and in float32
# why: The tolerance of bfloat16 is that of the elements which were computed in it.
import torch


def make_inputs():
    return (torch.tensor([0.1, 0.3]).bfloat16(), torch.tensor([1.0, 2.0, 3.0]))


def program(h, x):
    return torch.cat([(h * h).float(), x / 1.1])


COMPILE_OPTIONS = {"operator": "div", "fault": "off_by_a_percent"}
