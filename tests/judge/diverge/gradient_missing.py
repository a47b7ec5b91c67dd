# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: product of two leaves
# why: One leaf gets no gradient.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0], requires_grad=True))


def program(a, b):
    return a.exp2() * b


COMPILE_OPTIONS = {"fault": "one_gradient_lost"}
