# judge: diverge
# backend: backends/effects.py
# class: value
# construct: zeros and a percentage in one text
# why: The zeros may have any sign, the percentage may not.
import torch


def make_inputs():
    return (torch.tensor([0.25, 0.5]),)


def program(x):
    return f"{(x * 0.0).tolist()} {100 * x.mean().item():.1f} percent"


COMPILE_OPTIONS = {"fault": "percentages_off"}
