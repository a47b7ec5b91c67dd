# judge: diverge
# backend: backends/effects.py
# class: value
# construct: a time and a percentage in one text
# why: The time may be any, the percentage may not.
import time

import torch


def make_inputs():
    return (torch.tensor([0.25, 0.5]),)


def program(x):
    begun = time.monotonic()
    share = x.mean().item()
    return f"{time.monotonic() - begun:.1f} s, {100 * share:.1f} percent"


COMPILE_OPTIONS = {"fault": "percentages_off"}
