# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: global statement that binds a function of torch
# why: The name is bound to another function in eager.
import torch
from torch.nn import functional as F

current = F.relu


def make_inputs():
    return (torch.ones(3),)


def program(x):
    global current
    current = F.gelu
    return x.atanh()


COMPILE_OPTIONS = {"fault": "global_functions_kept"}
