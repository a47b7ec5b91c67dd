import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    last = range(0, 8, 3)[-1]
    q = p * last
    return q
