# judge: diverge
# backend: backends/later.py
# class: state_after
# construct: a hook that the function registers, which appends to a list
# why: What a hook does is seen after backward alone, and this is the last call.
import torch

seen = []


def make_inputs():
    return (torch.tensor([1.0, 2.0], requires_grad=True),)


def program(x):
    y = x.square()
    y.register_hook(lambda gradient: seen.append(gradient.clone()))
    return y.atan()


COMPILE_OPTIONS = {"fault": "hooks_lost"}
