# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: lerp of bfloat16 in place, in parts
# why: Inductor's decomposition rounds the difference and the product to bfloat16, of which little is left.
import torch


def make_inputs():
    return (torch.randn((64, 16), generator=torch.Generator().manual_seed(7140), dtype=torch.bfloat16),)


def program(x):
    x.lerp_(x.flip(1), 0.75)
    return x + 0


COMPILE_OPTIONS = {"kernels": ["lerp:parts"]}
