# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: dict comprehension
# why: Dicts keep the order of insertion.
import torch


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    return {name: x.pow(n) for n, name in enumerate(("one", "line", "square"))}


COMPILE_OPTIONS = {"fault": "keys_reversed"}
