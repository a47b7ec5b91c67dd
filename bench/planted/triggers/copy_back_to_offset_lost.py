import torch


def make_inputs():
    whole = torch.arange(6.0)
    return (whole[2:],)


def program(p):
    q = p.exp()
    p.mul_(2.0)
    return q
