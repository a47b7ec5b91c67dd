import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(p):
    r = p + 1
    r.add_(2)
    return r * 3
