import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(p):
    r = torch.flip(p, [1])
    s = torch.cumsum(p, 1)
    return r, s
