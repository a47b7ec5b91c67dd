# e3nn: a Wigner matrix of degree 3 from Euler angles (matrix exponentials).
import torch
from e3nn import o3


def make_inputs():
    return tuple(torch.tensor([x, x + 1]).requires_grad_() for x in (0.3, 1.1, -0.7))


def program(alpha, beta, gamma):
    return o3.wigner_D(3, alpha, beta, gamma)
