# judge: diverge
# backend: backends/guards.py
# class: value
# construct: arguments that share memory in the second call
# why: The write through one is not seen through the other.
import torch


def make_inputs():
    x = torch.zeros(3)
    return [(torch.zeros(3), torch.zeros(3)), (x, x.view(3))]


def program(a, b):
    a.add_(1)
    return b * 2


COMPILE_OPTIONS = {"fault": "aliasing"}
