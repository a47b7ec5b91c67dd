# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: conv2d by unfold
# why: A convolution as a matrix product.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(5)
    return (torch.randn(2, 3, 6, 6, generator=g), torch.randn(4, 3, 3, 3, generator=g), torch.randn(4, generator=g))


def program(x, weight, bias):
    return torch.nn.functional.conv2d(x, weight, bias)


COMPILE_OPTIONS = {"kernels": ["convolution"]}
