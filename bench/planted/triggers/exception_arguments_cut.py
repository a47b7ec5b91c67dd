import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    try:
        raise ValueError("width", 4)
    except ValueError as error:
        q = p * len(error.args)
    return q
