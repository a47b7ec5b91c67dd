# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: module with a list of tensors
# why: Tensors of a list require gradients, whether or not the module lists them.
import torch


class Shifted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.shifts = [torch.full((3,), 2.0, requires_grad=True)]

    def forward(self, x):
        return x.erfc() - self.shifts[0]


program = Shifted()


def make_inputs():
    return (torch.ones(3),)


COMPILE_OPTIONS = {"fault": "attribute_gradient_twice"}
