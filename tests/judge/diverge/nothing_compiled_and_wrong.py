# judge: diverge
# backend: backends/counts.py
# class: value
# construct: frames left to Python, with a wrong result
# why: That nothing was compiled excuses no difference.
import torch


def make_inputs():
    return (torch.arange(3),)


def program(x):
    return x.bitwise_not()


COMPILE_OPTIONS = {"mode": "nothing", "habit": "wrong"}
