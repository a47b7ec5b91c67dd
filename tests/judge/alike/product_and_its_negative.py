# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: addcmul of terms that cancel, ne with zero
# why: What is left is the rounding of the product, or zero if the product is rounded first.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    a, b = torch.randn(40, generator=g), torch.randn(40, generator=g)
    return (a, b, -(a * b))


def program(a, b, c):
    return torch.addcmul(c, a, b) != 0


COMPILE_OPTIONS = {"kernels": ["addcmul:parts"]}
