import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    q = torch.nn.functional.pad(p, (1, 2), value=-4.0)
    return q
