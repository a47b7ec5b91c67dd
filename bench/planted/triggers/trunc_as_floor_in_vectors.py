import torch


def make_inputs():
    return (torch.arange(40.0),)


def program(p):
    q = p * -0.3
    r = torch.trunc(q)
    return r
