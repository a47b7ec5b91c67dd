# judge: vacuous
# backend: backends/counts.py
# class: identity
# rule: vacuous
# construct: every frame skipped
# why: A result in other memory, by a compiler that compiled nothing.
import torch


def make_inputs():
    return (torch.arange(4),)


def program(x):
    return x


COMPILE_OPTIONS = {"mode": "nothing"}
