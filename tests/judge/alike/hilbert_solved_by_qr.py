# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: linear system with a Hilbert matrix
# why: The matrix magnifies rounding a million times; another factorisation gives other digits.
import torch


def make_inputs():
    i = torch.arange(6.0)
    return (1 / (i[:, None] + i[None] + 1.3), torch.ones(6))


def program(a, b):
    return torch.linalg.solve(a / 1.7, b)


COMPILE_OPTIONS = {"kernels": ["_linalg_solve_ex"]}
