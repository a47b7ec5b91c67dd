import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    def doubled():
        return held * 2

    held = p + 1
    q = doubled()
    held = p + 7
    r = doubled()
    return q, r
