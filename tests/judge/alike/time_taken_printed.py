# judge: agree
# backend: backends/habits.py
# class: text
# rule: other_choices
# construct: time.monotonic read twice
# why: How long a program takes is nothing that a compiler keeps, least of all while it compiles.
import time

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    begun = time.monotonic()
    y = x.exp()
    took = time.monotonic() - begun
    print(f"took {took:.0f} s")
    return y, took > 0.5


COMPILE_OPTIONS = {"habit": "late"}
