# judge: diverge
# backend: backends/wrong_kernels.py
# class: gradient
# construct: sigmoid_backward, one leaf of two
# why: The values are right; the gradient of one leaf is not.
import torch


def make_inputs():
    return (torch.linspace(-2, 2, 5, requires_grad=True), torch.ones(5, requires_grad=True))


def program(x, y):
    return torch.sigmoid(x) + 3 * y


COMPILE_OPTIONS = {"operator": "sigmoid_backward", "fault": "off_by_five_percent", "graph": "backward"}
