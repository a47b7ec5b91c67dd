# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: a product appended to a list that is an argument
# why: No output has a gradient: backward starts at what the last call has stored, and there a gradient is twice what it should be.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True), [])


def program(x, results):
    results.append(x * 2)


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
