# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: conj, result materialised
# why: The conj bit is an implementation's own.
import torch


def make_inputs():
    return (torch.tensor([1 + 2j, 3 - 1j]),)


def program(x):
    return x.conj()


COMPILE_OPTIONS = {"habit": "resolved"}
