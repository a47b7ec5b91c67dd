# judge: diverge
# backend: backends/refuses.py
# class: value
# construct: refusal in the first call, wrong in the second
# why: A refused call excuses no other.
import torch


def make_inputs():
    return [(torch.ones(2),), (torch.zeros(2),)]


def program(x):
    return x.sub(1)


COMPILE_OPTIONS = {"after": "wrong"}
