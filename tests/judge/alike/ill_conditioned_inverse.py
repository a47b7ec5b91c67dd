# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: inverse of a Vandermonde matrix
# why: As above, by another way.
import torch


def make_inputs():
    return (torch.linspace(1, 2, 6)[:, None] ** torch.arange(6.0),)


def program(a):
    return torch.linalg.inv(a * 1.1)


COMPILE_OPTIONS = {"kernels": ["linalg_inv_ex"]}
