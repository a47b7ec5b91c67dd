# judge: agree or unstable
# backend: backends/other_kernels.py
# class: state_after
# rule: text
# construct: print of a sum
# why: So are they in what is printed.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 120),)


def program(x):
    print("sum", x.sum().item())
    return x.shape


COMPILE_OPTIONS = {"kernels": ["sum"]}
