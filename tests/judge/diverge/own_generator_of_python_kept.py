# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: random.Random among globals
# why: The next number is drawn from the state that is left.
import random

import torch

numbers = random.Random(3)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x - numbers.random()


COMPILE_OPTIONS = {"fault": "own_randomness_kept"}
