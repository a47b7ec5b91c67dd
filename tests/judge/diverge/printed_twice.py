# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: print, then a ceiling
# why: Tracing runs the print once more.
import torch


def make_inputs():
    return (torch.tensor([1.25, 2.5]),)


def program(x):
    print("once")
    return x.ceil()


COMPILE_OPTIONS = {"fault": "prints_while_tracing"}
