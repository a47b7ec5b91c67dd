# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: argmax of near ties, beside a wrong median
# why: What flips with rounding excuses only itself.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(11)
    x = torch.rand(50, generator=g)
    return (torch.stack([x[torch.randperm(50, generator=g)] for _ in range(8)]),)


def program(x):
    return x.sum(1).argmax(), x.median()


COMPILE_OPTIONS = {"operator": "median", "fault": "doubled"}
