import torch


def make_inputs():
    return [(torch.ones(3), [2, 3]), (torch.ones(3), [2, 3, 4])]


def program(p, weights):
    q = p * 0
    for weight in weights:
        q = q + p * weight
    return q
