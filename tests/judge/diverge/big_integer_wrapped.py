# judge: diverge
# backend: backends/effects.py
# class: value
# construct: power of Python integers
# why: Python's integers have no width.
import torch


def make_inputs():
    return (3, torch.ones(2))


def program(n, x):
    return n**50, x * n


COMPILE_OPTIONS = {"fault": "ints_wrapped"}
