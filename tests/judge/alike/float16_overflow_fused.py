# judge: agree or unstable
# backend: backends/fused.py
# class: value
# rule: eager_wrong
# construct: float16 product that overflows on the way
# why: Eager passes through infinity, the fused kernel does not.
import torch


def make_inputs():
    return (torch.tensor([300.0, 2.0], dtype=torch.float16),)


def program(x):
    return x * x / 100
