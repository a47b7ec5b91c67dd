# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: module with a tensor that is no parameter
# why: The tensor requires gradients, whether or not the module lists it.
import torch


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.full((3,), 2.0, requires_grad=True)

    def forward(self, x):
        return x.erf() * self.scale


program = Scaled()


def make_inputs():
    return (torch.ones(3),)


COMPILE_OPTIONS = {"fault": "attribute_gradient_twice"}
