# judge: diverge
# backend: backends/exceptions.py
# class: raises
# construct: SystemExit with code 0
# why: The program ends as if all were well.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.round()


COMPILE_OPTIONS = {"fault": "exits"}
