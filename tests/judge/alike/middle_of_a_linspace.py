# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: linspace, eq with zero
# why: The middle is an end and fifty steps: zero or a unit of the end.
import torch


def make_inputs():
    return (torch.ones(101),)


def program(x):
    return torch.linspace(-1, 1, 101) * x == 0


COMPILE_OPTIONS = {"kernels": ["linspace"]}
