# judge: agree
# backend: backends/habits.py
# class: accepts
# rule: dead_operator
# construct: index out of range whose result nobody reads
# why: The operator is dead, and so is its exception.
import torch


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    unused = x[torch.tensor([7])]
    return x + 1


def lean(x):
    return x + 1


COMPILE_OPTIONS = {"habit": "skips_dead_code"}
