# judge: agree
# backend: backends/refuses.py
# class: raises
# rule: expected_refusal
# construct: complex addition, refused by the class of the exception
# why: The backend's file says what it does not take.
import torch


def make_inputs():
    return (torch.tensor([1 + 1j]),)


def program(x):
    return x + x
