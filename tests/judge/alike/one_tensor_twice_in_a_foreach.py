# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: _foreach_add_ of a list that holds one tensor twice
# why: In which order entries of the list see one another's writes is promised nowhere.
import torch


def make_inputs():
    return (torch.ones(2), torch.ones(3))


def program(x, y):
    torch._foreach_add_([x, y, x], 1.0)
    return x * 2, y


def lean(x, y):
    once = x + 1
    x.copy_(once)
    x.copy_(once)
    y.add_(1)
    return x * 2, y


COMPILE_OPTIONS = {"habit": "other_order"}
