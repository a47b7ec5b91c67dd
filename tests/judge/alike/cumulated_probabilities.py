# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: softmax, cumsum, searchsorted
# why: The last is one or a unit less, as the denominator is rounded.
import torch


def make_inputs():
    return (torch.randn(200, 9, generator=torch.Generator().manual_seed(4)),)


def program(x):
    return torch.searchsorted(x.softmax(1).cumsum(1), torch.ones(200, 1))


COMPILE_OPTIONS = {"kernels": ["_softmax"]}
