# judge: unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: mean of equal whole numbers, as integers
# why: The sum is exact and the quotient is rounded: 41 times the reciprocal of 41 is less than 1.
import torch


def make_inputs():
    return (torch.full((5, 41), 1.0),)


def program(x):
    return x.mean(1).long()


COMPILE_OPTIONS = {"kernels": ["mean"]}
