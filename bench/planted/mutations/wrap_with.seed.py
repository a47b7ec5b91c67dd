import torch


def make_inputs():
    return (torch.ones(2, 3, requires_grad=True), torch.full((2, 3), 3.0))


def program(p, q):
    r = torch.sin(q)
    s = r + 1
    return p * s
