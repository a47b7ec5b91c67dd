# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: entry of a dict argument
# why: What the function stores in its argument is gone.
import torch


def make_inputs():
    return ({"x": torch.ones(2)},)


def program(table):
    table["y"] = table["x"] + 1
    return table["x"]


COMPILE_OPTIONS = {"fault": "dict_effects_lost"}
