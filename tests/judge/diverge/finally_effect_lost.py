# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: try/finally that writes a global dict
# why: The block runs, its effect does not last.
import torch

LOG = {"open": 0, "closed": 0}


def make_inputs():
    return (torch.tensor([4.0, 9.0]),)


def program(x):
    try:
        LOG["open"] += 1
        return x.rsqrt()
    finally:
        LOG["closed"] += 1


COMPILE_OPTIONS = {"fault": "unregistered_exit"}
