# judge: agree
# backend: backends/counts.py
# class: aliasing
# rule: aliasing
# construct: squeeze, all frames compiled
# why: The same with everything compiled is plain agreement.
import torch


def make_inputs():
    return (torch.ones(1, 4),)


def program(x):
    return x.squeeze(0)


COMPILE_OPTIONS = {"mode": "all"}
