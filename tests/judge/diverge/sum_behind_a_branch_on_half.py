# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: cumsum behind a branch on float16
# why: The runs of higher precision take the branch that eager takes.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float16),)


def program(x):
    if x.dtype == torch.float16:
        return x.cumsum(0)
    return x.cumsum(0) - 5


COMPILE_OPTIONS = {"operator": "cumsum", "fault": "plus_one"}
