# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: pow with exponent five
# why: Four multiplications.
import torch


def make_inputs():
    return (torch.linspace(1, 3.7, 33, dtype=torch.float64),)


def program(x):
    return x**5 / 7


COMPILE_OPTIONS = {"kernels": ["pow:products"]}
