import torch


def make_inputs():
    return (torch.ones(3, 3), torch.arange(3.0))


def program(p, q):
    r = p + q
    return r * 2
