# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: pow with exponent three
# why: Two multiplications.
import torch


def make_inputs():
    return (torch.linspace(1, 3.7, 33, dtype=torch.float64),)


def program(x):
    return x**3 / 7


COMPILE_OPTIONS = {"kernels": ["pow:products"]}
