# judge: agree
# backend: aot_eager
# class: state_after
# rule: other_choices
# construct: mul_ of windows that overlap
# why: Eager multiplies a place once for each element that it is.
import torch


def make_inputs():
    return (torch.arange(6.0).unfold(0, 3, 1),)


def program(x):
    x.mul_(3)
    return x + 0.5
