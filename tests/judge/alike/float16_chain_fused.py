# judge: agree or unstable
# backend: backends/fused.py
# class: value
# rule: emulate_precision_casts
# construct: float16 chain of five operators
# why: Rounded once at the end instead of five times.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 30, dtype=torch.float16), torch.linspace(2, 5, 30, dtype=torch.float16))


def program(x, y):
    return ((x * y + 0.3) * x - y) / 3.0
