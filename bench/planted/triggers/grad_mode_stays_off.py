import torch


def make_inputs():
    return (torch.ones(3, requires_grad=True),)


def program(p):
    with torch.no_grad():
        q = p * 2
        with torch.no_grad():
            q = q + 1
    r = p * q
    return r
