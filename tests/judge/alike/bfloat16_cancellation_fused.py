# judge: agree or unstable
# backend: backends/fused.py
# class: value
# rule: emulate_precision_casts
# construct: bfloat16 (a + b) - a
# why: Eager loses b altogether, the fused kernel keeps it.
import torch


def make_inputs():
    return (torch.tensor([256.0, 1000.0], dtype=torch.bfloat16), torch.tensor([0.6, 1.7], dtype=torch.bfloat16))


def program(a, b):
    return (a + b) - a
