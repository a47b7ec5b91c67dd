# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: a product added in place to an argument
# why: No output has a gradient: backward starts at what the last call has written to, and there a gradient is twice what it should be.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True), torch.zeros(2))


def program(x, total):
    total.add_(x * 2)


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
