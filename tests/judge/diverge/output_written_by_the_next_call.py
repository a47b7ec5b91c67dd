# judge: diverge
# backend: backends/later.py
# class: state_after
# construct: the output of the first call, looked at after the second
# why: Who keeps what a call returned finds something else there after the next one.
import torch


def make_inputs():
    return [(torch.ones(2),), (torch.full((2,), 5.0),)]


def program(x):
    return x.hypot(x)


COMPILE_OPTIONS = {"fault": "outputs_reused"}
