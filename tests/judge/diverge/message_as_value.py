# judge: diverge
# backend: backends/exceptions.py
# class: value
# construct: str of a caught exception
# why: Messages are free, until the program returns one.
import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(x):
    try:
        return x.view(4)
    except RuntimeError as error:
        return str(error)


COMPILE_OPTIONS = {"fault": "other_texts"}
