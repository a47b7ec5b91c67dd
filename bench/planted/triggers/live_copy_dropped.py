import torch


def make_inputs():
    return (torch.tensor(3.0),)


def program(p):
    q = p * 2
    p.sub_(1)
    return q
