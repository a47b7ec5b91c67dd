# judge: agree or unstable
# backend: backends/fused.py
# class: value
# rule: emulate_precision_casts
# construct: x.half().float() inside a graph
# why: The pair of casts is removed as a no-op.
import torch


def make_inputs():
    return (torch.tensor([0.1, 1.2345678, 33.333]),)


def program(x):
    return x.half().float() * 2
