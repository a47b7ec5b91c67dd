# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: attribute in __slots__
# why: An object without a dict has state all the same.
import torch


class Counter:
    __slots__ = ("n",)

    def __init__(self):
        self.n = 0


def make_inputs():
    return (Counter(), torch.ones(2))


def program(counter, x):
    counter.n += 1
    return x.frac()


COMPILE_OPTIONS = {"fault": "slots_kept"}
