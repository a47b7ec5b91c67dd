import itertools

import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    q = p * 0
    for one, other in itertools.zip_longest([1, 2, 3], [4, 5], fillvalue=6):
        q = q + p * one * (other or 100)
    return q
