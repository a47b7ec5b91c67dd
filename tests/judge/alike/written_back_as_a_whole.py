# judge: agree
# backend: backends/habits.py
# class: version
# rule: version
# construct: sub_ on one of two arguments
# why: Both arguments are copied back, so both counters move.
import torch


def make_inputs():
    return (torch.ones(3), torch.ones(3))


def program(a, b):
    a.sub_(b)
    a.sub_(b)
    return a * b


COMPILE_OPTIONS = {"habit": "writes_back"}
