# judge: diverge
# backend: backends/habits.py
# class: value
# construct: cat of normalised noise and of what rounding doesn't move
# why: The sign of the second part is lost; that the first one is nothing but noise says nothing of it.
import torch


def make_inputs():
    torch.manual_seed(0)
    return (torch.randn(1, 220).expand(8, 220).contiguous(), torch.arange(1.0, 13.0))


def _noise(x):
    z = (x * 0.1 + x * 0.2) - x * 0.3
    z = z[0]
    return torch.tanh(20 * z / (z.std() + 1e-30))


def program(x, w):
    return torch.cat([_noise(x), torch.tanh(w)])


def lean(x, w):
    z = ((x * 0.3 - x * 0.2) - x * 0.1)[0]
    return torch.cat([torch.tanh(20 * z / (z.std() + 1e-30)), -torch.tanh(w)])


COMPILE_OPTIONS = {"habit": "other_order"}
