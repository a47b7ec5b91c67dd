# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: filter that leaves nothing
# why: An empty list is not None.
import torch


def make_inputs():
    return (torch.arange(3.0), [1, 3, 5])


def program(x, numbers):
    return [x * n for n in numbers if n % 2 == 0]


COMPILE_OPTIONS = {"fault": "none_for_empty"}
