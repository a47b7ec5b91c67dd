# judge: agree
# backend: backends/habits.py
# class: state_after
# rule: other_choices
# construct: add_ to one of windows that overlap
# why: A compiler takes the rows of an argument for separate ones, so that the next row doesn't see the write.
import torch


def make_inputs():
    return (torch.arange(6.0).unfold(0, 3, 1),)


def program(x):
    x[0].add_(1)
    return x * 2


COMPILE_OPTIONS = {"habit": "writes_back"}
