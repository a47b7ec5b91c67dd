# judge: unstable
# backend: backends/habits.py
# class: value
# rule: eager_differs
# construct: os.urandom
# why: Eager differs from itself.
import os

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x * int.from_bytes(os.urandom(4), "little")


COMPILE_OPTIONS = {"habit": "copies"}
