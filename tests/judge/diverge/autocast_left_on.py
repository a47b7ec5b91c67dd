# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: autocast block
# why: Autocast is still on after its block.
import torch


def make_inputs():
    return (torch.ones(2, 2),)


def program(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.mm(x, x)


COMPILE_OPTIONS = {"fault": "autocast_left_on"}
