import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    kept = p

    def outer():
        def inner():
            nonlocal kept
            kept = p * 4

        inner()

    outer()
    q = kept + 1
    return q
