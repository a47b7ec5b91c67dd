import torch


def make_inputs():
    return (torch.arange(6).reshape(2, 3),)


def program(p):
    r = p - 4
    return r * 2
