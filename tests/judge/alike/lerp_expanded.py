# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: lerp in its other form
# why: a * (1 - t) + b * t.
import torch


def make_inputs():
    t = torch.linspace(0.1, 0.9, 30)
    return (t.sin() * 9, t.cos() * 5, t)


def program(a, b, t):
    return torch.lerp(a, b, t)


COMPILE_OPTIONS = {"kernels": ["lerp"]}
