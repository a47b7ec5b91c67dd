# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: print of a float64 tensor
# why: In the float64 run torch writes no dtype, which is no sign of rounding.
import torch


def make_inputs():
    return (torch.ones(2, dtype=torch.float64),)


def program(x):
    print(x / 2)
    return x.exp2()


COMPILE_OPTIONS = {"fault": "silent"}
