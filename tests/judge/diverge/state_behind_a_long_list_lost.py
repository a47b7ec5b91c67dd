# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: a number that comes after a list of 210000 integers
# why: However long a list is, what comes after it is compared.
import torch

table = list(range(210_000))
uses = 0


def make_inputs():
    return (torch.ones(2),)


def program(x):
    global uses
    uses += 1
    return x.fmod(2)


COMPILE_OPTIONS = {"fault": "global_numbers_kept"}
