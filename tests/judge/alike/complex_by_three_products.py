# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: mul of complex64 by Gauss's trick
# why: Three real products instead of four, with cancellation.
import torch


def make_inputs():
    t = torch.linspace(0.1, 6, 20)
    return (torch.complex(t.cos() * 100, t.sin()), torch.complex(t.sin(), t.cos() * 100))


def program(a, b):
    return a * b * 1.5


COMPILE_OPTIONS = {"kernels": ["mul"]}
