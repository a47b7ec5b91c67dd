# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: logsumexp of small numbers
# why: No shift by the maximum.
import torch


def make_inputs():
    return (torch.linspace(-3, 3, 20).reshape(4, 5),)


def program(x):
    return x.logsumexp(1)


COMPILE_OPTIONS = {"kernels": ["logsumexp"]}
