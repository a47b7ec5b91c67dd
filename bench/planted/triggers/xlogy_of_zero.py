import torch


def make_inputs():
    return (torch.tensor([0.0, 1.0]), torch.tensor([0.0, 2.0]))


def program(p, q):
    r = torch.xlogy(p, q)
    return r
