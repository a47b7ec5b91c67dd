# judge: agree
# backend: backends/later.py
# class: structure
# rule: bitwise
# construct: a tensor that only a cache of functools holds, written in place and returned
# why: The first call's output shares that memory in eager, and is a copy in the compiled run.
import functools

import torch


@functools.lru_cache
def table(length):
    return torch.arange(float(length))


def make_inputs():
    return [(torch.ones(3),), (torch.full((3,), 2.0),)]


def program(x):
    return table(len(x)).add_(x)


COMPILE_OPTIONS = {"habit": "outputs_copied"}
