# judge: diverge
# backend: backends/guards.py
# class: value
# construct: string argument that chooses a branch
# why: The other branch is never compiled.
import torch


def make_inputs():
    return [(torch.arange(4.0), "sum"), (torch.arange(4.0), "mean")]


def program(x, how):
    return x.sum() if how == "sum" else x.mean()


COMPILE_OPTIONS = {"fault": "arguments"}
