# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: addcmul, rounded once
# why: The product is not rounded before it is added.
import torch


def make_inputs():
    t = torch.linspace(0.3, 4, 40)
    return (t, t.cos(), t.sin())


def program(a, b, c):
    return torch.addcmul(a, b, c, value=0.7)


COMPILE_OPTIONS = {"kernels": ["addcmul"]}
