# judge: diverge
# backend: backends/effects.py
# class: value
# construct: deque with a tensor that overlaps itself, written in make_inputs
# why: Arguments count as written from the call on, wherever they are.
import collections

import torch


def make_inputs():
    base = torch.zeros(6)
    base.copy_(torch.arange(6.0))
    return (collections.deque([base.as_strided((3, 3), (1, 1))]),)


def program(d):
    return d[0].sin()


COMPILE_OPTIONS = {"fault": "arrays_off"}
