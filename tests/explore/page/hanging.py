import torch


def program(x):
    if torch.compiler.is_compiling():
        while True:
            pass
    return x + 1


def make_inputs():
    return (torch.ones(3),)
