# judge: diverge
# backend: backends/ends.py
# class: memory
# construct: eye
# megabytes: 300
# why: The graph takes all memory there is.
# standalone: the small limit, which makes this file quick, leaves no room for torch itself
import torch


def make_inputs():
    return (torch.ones(2, 2),)


def program(x):
    return x + torch.eye(2)


COMPILE_OPTIONS = {"fault": "memory"}
