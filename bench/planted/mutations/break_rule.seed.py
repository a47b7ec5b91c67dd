import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(p):
    r = p + 1
    s = r.sum(dim=1)
    return s * 2
