# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: global statement, two calls
# why: Every call finds the counter at its start.
import torch

calls = 0


def make_inputs():
    return [(torch.ones(2),), (torch.ones(2),)]


def program(x):
    global calls
    calls += 1
    return x.neg()


COMPILE_OPTIONS = {"fault": "global_numbers_kept"}
