# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: uint8 beside an infinity
# why: 0 and 255 are ends of the type, but nothing was converted to it.
import torch


def make_inputs():
    return (torch.tensor([0.0, 1.0]), torch.tensor([254], dtype=torch.uint8))


def program(x, y):
    return torch.log(x), torch.clamp_min(y, 1) + 1


COMPILE_OPTIONS = {"operator": "clamp_min", "fault": "plus_one"}
