# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: os.getpid in a printed line
# why: Each run has another number; the rest is compared.
import os

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    print("in process", os.getpid())
    return x.neg()


COMPILE_OPTIONS = {"habit": "copies"}
