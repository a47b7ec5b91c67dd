import torch


def make_inputs():
    return (torch.tensor([1.0, -1.0, 4.0]),)


def program(p):
    q = p.sqrt()
    r = torch.nan_to_num(q, nan=9.0)
    return r
