# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: error_class
# construct: cat of nothing, uncaught
# why: Both raise, of unrelated classes, and nobody catches it.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    raise ValueError("no such mode")


COMPILE_OPTIONS = {"fault": "other_class_leaves"}
