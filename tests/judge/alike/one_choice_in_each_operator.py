# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: max names the last of equal elements in every row, argmax the first
# why: Each operator may have a rule of its own; none promises one.
import torch


def make_inputs():
    return (torch.zeros(12, 3),)


def program(t):
    i = t.max(1).indices
    j = t.argmax(1)
    return (i == 2).all().int() + 2 * (j == 0).all().int()


COMPILE_OPTIONS = {"kernels": ["max"]}
