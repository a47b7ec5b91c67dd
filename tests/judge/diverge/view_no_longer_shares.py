# judge: diverge
# backend: backends/effects.py
# class: value
# construct: view kept between calls, then a write
# why: Lost sharing is weak, until a later write shows it.
import torch

KEPT = {}


def make_inputs():
    x = torch.zeros(4)
    return [(x,), (x,)]


def program(x):
    if "view" not in KEPT:
        KEPT["view"] = x[:2]
        return x + 0
    KEPT["view"].add_(1)
    return x + 1


COMPILE_OPTIONS = {"fault": "view_kept_as_copy"}
