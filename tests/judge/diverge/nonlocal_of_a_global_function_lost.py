# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: nonlocal counter of a global closure
# why: The counter lives in a cell that only the function sees.
import torch


def make_inputs():
    return (torch.ones(3),)


def make_counter():
    count = 0

    def tick():
        nonlocal count
        count += 1

    return tick


tick = make_counter()


def program(x):
    tick()
    return x.sinh()


COMPILE_OPTIONS = {"fault": "cells_kept"}
