# judge: diverge
# backend: backends/guards.py
# class: value
# construct: a branch on the argument's dtype
# why: The second call takes the branch of the first one's type; the run in float64 sees one type in both.
import torch


def make_inputs():
    return [(torch.tensor([1.0, 2.0], dtype=torch.float64),), (torch.tensor([1.0, 2.0]),)]


def program(x):
    if x.dtype == torch.float64:
        return x * 3
    return x * 2


COMPILE_OPTIONS = {"fault": "branches_on_dtypes"}
