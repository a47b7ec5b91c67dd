# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: add_ of an argument of which another is an expanded view
# why: What is written does not overlap itself; the view only shares its version.
import torch


def make_inputs():
    return [(b, b.expand(3, 2)) for b in [torch.arange(2.0)]]


def program(b, e):
    b.add_(1)
    return e * 2


COMPILE_OPTIONS = {"fault": "inputs_copied"}
