# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: _foreach_mul_ of a list that holds one tensor twice and another once
# why: Only what is written twice is free; the entry beside it is lost.
import torch


def make_inputs():
    return (torch.ones(3), torch.ones(2))


def program(y, x):
    torch._foreach_mul_([x, y, x], 3.0)
    return x + 1


COMPILE_OPTIONS = {"fault": "first_of_two_writes_lost"}
