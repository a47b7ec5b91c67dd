# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: det of a nearly singular matrix
# why: Expanded by minors: what is left is rounding.
import torch


def make_inputs():
    return (torch.arange(9.0).reshape(3, 3) * 100 + torch.eye(3) * 1e-3,)


def program(a):
    return torch.linalg.det(a * 1.3)


COMPILE_OPTIONS = {"kernels": ["_linalg_det"]}
