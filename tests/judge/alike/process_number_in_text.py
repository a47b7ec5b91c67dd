# judge: unstable
# backend: backends/habits.py
# class: value
# rule: eager_differs
# construct: os.getpid in a printed line
# why: And the number of the process.
import os

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    print("in process", os.getpid())
    return x.neg()


COMPILE_OPTIONS = {"habit": "copies"}
