# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: log1p of tiny numbers
# why: Relatively bad, absolutely below any tolerance.
import torch


def make_inputs():
    return (torch.tensor([1e-7, 3e-6, 0.1, 2.0]),)


def program(x):
    return x.log1p()


COMPILE_OPTIONS = {"kernels": ["log1p"]}
