import torch


class Meter:
    seen = 0


meter = Meter()


def program():
    meter.seen = 1
    meter.seen = 5
    q = torch.ones(2) - 1
    return q
