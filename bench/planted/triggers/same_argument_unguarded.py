import torch


def make_inputs():
    twice = torch.ones(3)
    return [(twice, twice), (torch.ones(3), torch.zeros(3))]


def program(p, q):
    r = p + q
    return r
