# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: tanh by exp, small arguments
# why: Cancellation in 1 - 2 / (e + 1), below the absolute tolerance.
import torch


def make_inputs():
    return (torch.linspace(-0.01, 2, 17),)


def program(x):
    return x.tanh()


COMPILE_OPTIONS = {"kernels": ["tanh"]}
