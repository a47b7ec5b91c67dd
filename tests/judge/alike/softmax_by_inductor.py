# judge: agree
# backend: inductor
# class: value
# rule: tolerance
# construct: attention, by Inductor
# why: A real compiler's own order.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(14)
    return tuple(torch.randn(2, 6, 4, generator=g) for _ in range(3))


def program(q, k, v):
    return torch.softmax(q @ k.mT / 2, -1) @ v
