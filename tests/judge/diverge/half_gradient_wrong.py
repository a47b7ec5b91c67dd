# judge: diverge
# backend: backends/wrong_kernels.py
# class: gradient
# construct: bfloat16 gradient of hardswish
# why: Coarse types have coarse gradients, but not a tenth off.
import torch


def make_inputs():
    return (torch.linspace(-4, 4, 9, dtype=torch.bfloat16).requires_grad_(),)


def program(x):
    return torch.nn.functional.hardswish(x)


COMPILE_OPTIONS = {"operator": "hardswish_backward", "fault": "off_by_a_fifth", "graph": "backward"}
