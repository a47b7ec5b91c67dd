# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: searchsorted with values on the edges
# why: Values computed to lie on an edge lie on either side of it.
import torch


def make_inputs():
    return (torch.arange(0.0, 100), torch.arange(0.0, 100) * 0.01)


def program(edges, x):
    return torch.searchsorted(edges, x / 0.01)


COMPILE_OPTIONS = {"kernels": ["div"]}
