# judge: agree or unstable
# backend: inductor
# class: value
# rule: emulate_precision_casts
# construct: bfloat16 polynomial, by Inductor
# why: Inductor keeps float32 between operators.
import torch


def make_inputs():
    return (torch.linspace(-3, 3, 40, dtype=torch.bfloat16),)


def program(x):
    return ((x * 1.3 + 0.7) * x - 0.9) * x + 0.1
