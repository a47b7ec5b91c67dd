# judge: diverge
# backend: backends/exceptions.py
# class: accepts
# construct: raise by the program's own hand, second call
# why: Only the second call loses its exception.
import torch


def make_inputs():
    return [(torch.ones(2), 1), (torch.ones(2), -1), (torch.ones(2), 2)]


def program(x, n):
    if n < 0:
        raise ValueError("n must not be negative")
    return x.repeat(n)


COMPILE_OPTIONS = {"fault": "swallowed_on_the_second_call"}
