import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(p):
    r = p + 1
    s = r * 2
    r.add_(2)
    s = r * 3
    r.mul_(5)
    return r, s
