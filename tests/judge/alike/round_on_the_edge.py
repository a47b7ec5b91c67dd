# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: round of halves made by a product
# why: Halves go up or down by the last bit.
import torch


def make_inputs():
    return ((torch.arange(1.0, 60) - 0.5) * 0.3,)


def program(x):
    return (x / 0.3).round()


COMPILE_OPTIONS = {"kernels": ["div"]}
