# judge: diverge
# backend: backends/later.py
# class: state_after
# construct: a forward hook removed at the end of a call
# why: A hook that stays shows in the next call, which this program doesn't make.
import torch

layer = torch.nn.Linear(2, 2)


def report(module, arguments, output):
    return None


def make_inputs():
    return (torch.ones(2),)


def program(x):
    handle = layer.register_forward_hook(report)
    y = layer(x)
    handle.remove()
    return y


COMPILE_OPTIONS = {"fault": "hooks_stay"}
