# judge: diverge
# backend: backends/exceptions.py
# class: accepts
# construct: integer index beyond the end
# why: Eager raises IndexError; compiled wraps around.
import torch


def make_inputs():
    return (torch.arange(3), 5)


def program(x, index):
    return x[index] * 2


COMPILE_OPTIONS = {"fault": "accepts_bad_index"}
