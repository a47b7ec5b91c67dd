# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: finfo of the argument's dtype, and a sum backwards
# why: A sum in another order, whose terms come from what the program reads of the type.
import torch


def make_inputs():
    return (torch.linspace(-3, 3, 1000),)


def program(x):
    scale = torch.finfo(x.dtype).eps if x.dtype == torch.float32 else 1.0
    return (x * scale).sum() / scale


COMPILE_OPTIONS = {"kernels": ["sum"]}
