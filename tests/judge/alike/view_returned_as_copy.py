# judge: agree
# backend: backends/habits.py
# class: aliasing
# rule: aliasing
# construct: a view of an argument returned
# why: The memory is no longer shared, and nothing is written later.
import torch


def make_inputs():
    return (torch.arange(6).reshape(2, 3),)


def program(x):
    return x.diagonal()


COMPILE_OPTIONS = {"habit": "copies"}
