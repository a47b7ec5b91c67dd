# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: torch.compiler.is_compiling
# why: It is there to be asked, and eager says no.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.exp(), torch.compiler.is_compiling()


COMPILE_OPTIONS = {"habit": "tells"}
