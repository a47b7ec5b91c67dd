# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: asin by atan
# why: Another formula.
import torch


def make_inputs():
    return (torch.linspace(-0.9, 0.9, 30),)


def program(x):
    return x.asin()


COMPILE_OPTIONS = {"kernels": ["asin"]}
