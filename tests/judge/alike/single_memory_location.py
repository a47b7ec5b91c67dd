# judge: agree
# backend: backends/habits.py
# class: accepts
# rule: single_memory_location
# construct: in-place add on an expanded tensor
# why: Eager refuses, compiled code goes on.
import torch


def make_inputs():
    return (torch.zeros(1),)


def program(x):
    return x.expand(3).add_(1)


def lean(x):
    return x.expand(3) + 1


COMPILE_OPTIONS = {"habit": "other_order"}
