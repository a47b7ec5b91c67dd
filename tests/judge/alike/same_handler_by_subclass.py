# judge: agree
# backend: backends/exceptions.py
# class: error_class
# rule: both_raise
# construct: except clause that also takes the subclass
# why: The same handler answers and raises on; frames and types differ.
import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(x):
    try:
        return x.reshape(5)
    except RuntimeError:
        raise


COMPILE_OPTIONS = {"fault": "size_mismatches"}
