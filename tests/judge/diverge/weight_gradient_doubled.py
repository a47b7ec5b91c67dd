# judge: diverge
# backend: backends/wrong_kernels.py
# class: gradient
# construct: convolution_backward, weight
# why: The gradient of the weight comes twice; that of the input is right.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(2)
    return (
        torch.randn(1, 2, 5, 5, generator=g, requires_grad=True),
        torch.randn(3, 2, 3, 3, generator=g, requires_grad=True),
    )


def program(x, weight):
    return torch.nn.functional.conv2d(x, weight)


COMPILE_OPTIONS = {"operator": "convolution_backward", "fault": "doubled", "graph": "backward", "part": 1}
