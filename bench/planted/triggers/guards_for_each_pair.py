import torch


def make_inputs():
    return (torch.ones(3), list(range(120)))


def program(p, steps):
    q = p * 2
    for step in steps:
        q = q if step else p
    return q
