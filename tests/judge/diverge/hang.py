# judge: diverge
# backend: backends/ends.py
# class: hang
# construct: a while loop of the program's own
# seconds: 3
# why: The graph never comes back.
import torch


def make_inputs():
    return (torch.tensor([1.0]),)


def program(x):
    n = 0
    while n < 3:
        x = x + x
        n += 1
    return x


COMPILE_OPTIONS = {"fault": "hang"}
