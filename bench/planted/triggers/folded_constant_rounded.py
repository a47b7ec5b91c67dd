import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    q = torch.full((3,), 2.75)
    r = q * 3
    s = p + r
    return s
