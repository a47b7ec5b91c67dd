import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(p):
    r = torch.sin(p)
    return r + 1
