# judge: diverge
# backend: backends/effects.py
# class: value
# construct: a percentage in a text
# why: One percent is no rounding, in a text as elsewhere.
import torch


def make_inputs():
    return (torch.tensor([0.25, 0.5]),)


def program(x):
    return f"{100 * x.mean().item():.1f} percent"


COMPILE_OPTIONS = {"fault": "percentages_off"}
