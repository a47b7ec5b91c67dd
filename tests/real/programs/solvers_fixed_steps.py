# torchdiffeq: the Lorenz system in fixed steps, long enough to be chaotic.
import torch
from torchdiffeq import odeint


def make_inputs():
    return torch.tensor([1.0, 1.0, 20.0]).requires_grad_(), torch.linspace(0, 4, 41)


def lorenz(t, y):
    a, b, c = y.unbind(-1)
    return torch.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], -1)


def program(start, times):
    return odeint(lorenz, start, times, method="rk4")
