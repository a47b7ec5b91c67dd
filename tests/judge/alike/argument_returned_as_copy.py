# judge: agree
# backend: backends/habits.py
# class: identity
# rule: identity
# construct: an argument returned as it is
# why: Eager gives the very object, the compiler a copy.
import torch


def make_inputs():
    return (torch.arange(3),)


def program(x):
    return x


COMPILE_OPTIONS = {"habit": "copies"}
