import torch


def make_inputs():
    return (torch.ones(3),)


def program(p):
    def running():
        factor = yield p
        yield p * (factor or 10)

    steps = running()
    next(steps)
    q = steps.send(3)
    return q
