# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: attribute of a class within a class
# why: The class that counts is no global; only the class around it is.
import torch


class Config:
    class Training:
        steps = 0


def make_inputs():
    return (torch.ones(3),)


def program(x):
    Config.Training.steps += 1
    return x.erfc()


COMPILE_OPTIONS = {"fault": "inner_class_numbers_kept"}
