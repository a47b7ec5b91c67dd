import torch


def make_inputs():
    return [(torch.ones(3), "up"), (torch.ones(3), "down")]


def program(p, way):
    q = p * 3
    if way == "up":
        q = q + p
    return q
