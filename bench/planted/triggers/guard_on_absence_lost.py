import torch


class Setting:
    pass


setting = Setting()


def before_call(i):
    if i == 1:
        setting.scale = 5.0


def make_inputs():
    return [(torch.ones(3),), (torch.ones(3),)]


def program(p):
    if hasattr(setting, "scale"):
        p = p * setting.scale
    q = p + 1
    return q
