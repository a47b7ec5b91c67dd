# judge: unstable
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: an exception when a clock says so
# why: While a compiler works a deadline may pass.
import time

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    deadline = time.monotonic() + 0.5
    y = x.exp()
    if time.monotonic() > deadline:
        raise TimeoutError("too slow")
    return y


COMPILE_OPTIONS = {"habit": "late"}
