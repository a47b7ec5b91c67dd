# judge: diverge
# backend: backends/effects.py
# class: value
# construct: catch_warnings(record=True), counted
# why: A warning that the program itself counts is a value.
import warnings

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("slow path")
    return len(seen), x.erfc()


COMPILE_OPTIONS = {"fault": "warnings_lost"}
