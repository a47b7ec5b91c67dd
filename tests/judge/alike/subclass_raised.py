# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: both_raise
# construct: matmul of wrong sizes, uncaught
# why: A subclass of eager's exception.
import torch


def make_inputs():
    return (torch.ones(2, 3), torch.ones(2))


def program(a, b):
    return torch.matmul(a, b)


COMPILE_OPTIONS = {"fault": "size_mismatches"}
