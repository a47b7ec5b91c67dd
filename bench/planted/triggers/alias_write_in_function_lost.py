import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(p):
    q = p + 1
    r = q.view(6)

    def write():
        r.mul_(4)

    write()
    s = q - 1
    return s
