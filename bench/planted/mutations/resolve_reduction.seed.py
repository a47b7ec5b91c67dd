import torch


def make_inputs():
    return (torch.arange(12.0).reshape(3, 4),)


def program(p):
    r = p.sum(0)
    return r * 2
