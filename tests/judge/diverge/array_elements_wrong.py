# judge: diverge
# backend: backends/effects.py
# class: value
# construct: numpy array returned
# why: Arrays are compared as tensors are.
import torch


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    return (x * 3).numpy()


COMPILE_OPTIONS = {"fault": "arrays_off"}
