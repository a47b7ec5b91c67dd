# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: sum of float32, added from the end
# why: A sum in another order differs in its last bits.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 120) ** 2,)


def program(x):
    return x.sum()


COMPILE_OPTIONS = {"kernels": ["sum"]}
