# judge: agree
# backend: backends/habits.py
# class: state_after
# rule: other_choices
# construct: copy_ into windows that overlap
# why: Where two elements are one place, a compiler that computes on copies shows both.
import torch


def make_inputs():
    return (torch.arange(6.0).unfold(0, 3, 1),)


def program(x):
    x.copy_(torch.arange(12.0).reshape(4, 3))
    return x * 2


COMPILE_OPTIONS = {"habit": "writes_back"}
