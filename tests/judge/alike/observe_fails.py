# judge: rejected
# backend: backends/habits.py
# class: none
# rule: eager_fails
# construct: observe that raises
# why: What was to be observed is not there.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x + 0


def observe():
    raise KeyError("log")


COMPILE_OPTIONS = {"habit": "copies"}
