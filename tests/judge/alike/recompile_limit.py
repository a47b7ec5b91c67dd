# judge: vacuous
# backend: backends/counts.py
# class: identity
# rule: vacuous
# construct: recompile limit
# why: Back in Python after too many versions.
import torch


def make_inputs():
    return (torch.arange(4),)


def program(x):
    return x.view(2, 2)


COMPILE_OPTIONS = {"mode": "limit"}
