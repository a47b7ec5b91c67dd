# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: iterator of tensors that differ by rounding
# why: Items are compared as outputs are.
import torch


def make_inputs():
    return (torch.linspace(1, 9, 20),)


def program(x):
    return iter([x / 3, x / 7])


COMPILE_OPTIONS = {"kernels": ["div"]}
