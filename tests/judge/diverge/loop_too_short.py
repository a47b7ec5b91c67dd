# judge: diverge
# backend: backends/guards.py
# class: value
# construct: loop over a list that grows
# why: Unrolled twice, needed three times.
import torch


def make_inputs():
    x = torch.ones(2)
    return [([x, x],), ([x, x, x],)]


def program(items):
    total = torch.zeros(2)
    for item in items:
        total = total + item
    return total


COMPILE_OPTIONS = {"fault": "lengths"}
