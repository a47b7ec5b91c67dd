# judge: agree or unstable
# backend: backends/fused.py
# class: raises
# rule: float32
# construct: exception whose message shows a float16 tensor that overflowed
# why: In float32 torch writes no dtype; the failure is the same.
import torch


def make_inputs():
    return (torch.full((1,), 300.0, dtype=torch.float16),)


def program(x):
    y = 1 / (x * x)
    if y.item() != 0:
        raise ValueError(f"residual {y}")
    return y
