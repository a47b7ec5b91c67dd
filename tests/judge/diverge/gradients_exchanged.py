# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: sub, two leaves of one shape
# why: Each gets the other's gradient.
import torch


def make_inputs():
    return (torch.zeros(3, requires_grad=True), torch.ones(3, requires_grad=True))


def program(a, b):
    return a - b


COMPILE_OPTIONS = {"fault": "gradient_of_product_mixed"}
