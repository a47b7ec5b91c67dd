# judge: agree
# backend: backends/habits.py
# class: offset
# rule: offset
# construct: ones_like out of a memory pool
# why: Results may begin anywhere.
import torch


def make_inputs():
    return (torch.zeros(2, 2),)


def program(x):
    return torch.ones_like(x) - 3


COMPILE_OPTIONS = {"habit": "offsets"}
