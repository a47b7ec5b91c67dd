# judge: agree
# backend: backends/habits.py
# class: sign_of_zero
# rule: sign_of_zero
# construct: ceil of numbers above minus one
# why: -0.0 or 0.0.
import torch


def make_inputs():
    return (torch.tensor([-0.5, 0.5]),)


def program(x):
    return x.ceil() * 1


COMPILE_OPTIONS = {"habit": "positive_zeros"}
