# judge: agree or unstable
# backend: backends/fused.py
# class: accepts
# rule: float64
# construct: a product of two dtypes behind an if on a float16 overflow
# why: Eager rounds each operator to float16 and overflows; a fused kernel keeps float32 and never makes the call.
import torch


def make_inputs():
    return (torch.full((4,), 300.0, dtype=torch.float16),)


def program(x):
    y = x * x / 300.0
    if torch.isinf(y).any():
        return torch.mm(torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float64))
    return y
