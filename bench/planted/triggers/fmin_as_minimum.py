import torch


def make_inputs():
    return (torch.tensor([1.0, -1.0, 4.0]), torch.ones(3))


def program(p, q):
    r = p.log()
    s = torch.fmin(r, q)
    return s
