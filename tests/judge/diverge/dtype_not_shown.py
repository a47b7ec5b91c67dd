# judge: diverge
# backend: backends/effects.py
# class: value
# construct: format of a float16 tensor
# why: What torch writes of a dtype depends on no rounding.
import torch


def make_inputs():
    return (torch.tensor([10.1, 300.3]),)


def program(x):
    return f"{x.half() / 3}"


COMPILE_OPTIONS = {"fault": "dtypes_not_shown"}
