# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: addmm of bfloat16, in parts
# why: The product is rounded to bfloat16 before it is added.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(3)
    a, b = torch.randn(32, 8, generator=g), torch.randn(8, 32, generator=g)
    return (-(a @ b).bfloat16(), a.bfloat16(), b.bfloat16())


def program(x, a, b):
    return torch.addmm(x, a, b)


COMPILE_OPTIONS = {"kernels": ["addmm:parts"]}
