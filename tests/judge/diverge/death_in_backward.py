# judge: diverge
# backend: backends/ends.py
# class: death
# construct: backward of a norm
# why: The forward graph is well, the backward graph kills.
import torch


def make_inputs():
    return (torch.tensor([3.0, 4.0], requires_grad=True),)


def program(x):
    return x.norm()


COMPILE_OPTIONS = {"fault": "illegal_instruction", "graph": "backward"}
