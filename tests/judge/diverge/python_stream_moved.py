# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: random.random in the program
# why: One draw of Python's generator too many.
import random

import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x * (1 if random.random() < 2 else 0)


COMPILE_OPTIONS = {"fault": "python_draws_once_more"}
