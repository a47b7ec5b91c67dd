# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: argmax far from a tie
# why: The largest element is larger by four than the next: no rounding moves it.
import torch


def make_inputs():
    return (torch.tensor([[1.0, 9.0, 2.0], [7.0, 0.0, 3.0]]),)


def program(x):
    return x.t().argmax(0)


COMPILE_OPTIONS = {"operator": "argmax", "fault": "swapped"}
