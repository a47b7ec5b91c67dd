# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: exp over thirteen elements
# why: The elements after the last whole vector are never computed.
import torch


def make_inputs():
    return (torch.linspace(-1, 1, 13),)


def program(x):
    return x.exp()


COMPILE_OPTIONS = {"operator": "exp", "fault": "tail_lost"}
