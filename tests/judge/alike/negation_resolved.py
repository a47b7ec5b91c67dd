# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: imag of a conjugate
# why: So is the neg bit.
import torch


def make_inputs():
    return (torch.tensor([1 + 2j, 3 - 1j]),)


def program(x):
    return x.conj().imag


COMPILE_OPTIONS = {"habit": "resolved"}
