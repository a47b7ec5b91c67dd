# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: number of threads
# why: The compiler asks for more threads and leaves it so.
import torch


def make_inputs():
    return (torch.ones(4, 4),)


def program(x):
    return x @ x


COMPILE_OPTIONS = {"fault": "threads_raised"}
