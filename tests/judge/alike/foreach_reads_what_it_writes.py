# judge: agree
# backend: backends/habits.py
# class: state_after
# rule: other_choices
# construct: _foreach_mul_ of two halves of a tensor by one another
# why: Whether the second entry reads what the first one has written is promised nowhere.
import torch


def make_inputs():
    return (torch.tensor([2.0, 3.0]),)


def program(x):
    torch._foreach_mul_([x[:1], x[1:]], [x[1:], x[:1]])


def lean(x):
    x.mul_(x.flip(0))


COMPILE_OPTIONS = {"habit": "other_order"}
