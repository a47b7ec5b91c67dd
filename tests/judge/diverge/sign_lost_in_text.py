# judge: diverge
# backend: backends/effects.py
# class: value
# construct: percent formatting of a negative number
# why: The text lacks its sign.
import torch


def make_inputs():
    return (-4, torch.ones(2))


def program(n, x):
    return "shift %d" % n, x + n


COMPILE_OPTIONS = {"fault": "negated_texts"}
