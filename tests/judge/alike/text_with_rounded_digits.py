# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: text
# construct: repr of a float in a text
# why: The last digits of a number in a text are rounding too.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 120),)


def program(x):
    return f"loss {x.sum().item():.9g}"


COMPILE_OPTIONS = {"kernels": ["sum"]}
