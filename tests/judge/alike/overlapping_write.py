# judge: agree
# backend: backends/habits.py
# class: state_after
# rule: single_memory_location
# construct: write through an expanded argument
# why: Several elements are one memory location: which write is last is nobody's promise.
import torch


def make_inputs():
    return (torch.arange(4.0).as_strided((3, 2), (1, 1)),)


def program(x):
    x.t()[0].add_(x.t()[1])
    return x.max()


COMPILE_OPTIONS = {"habit": "reads_before_writing"}
