# judge: agree
# backend: backends/habits.py
# class: value
# rule: tolerance
# construct: set of objects without a text of their own
# why: The order of a set is that of addresses, so its members are told apart by what they hold.
import torch


class Held:
    def __init__(self, t):
        self.t = t


def make_inputs():
    return (torch.arange(1.0, 4.0),)


def program(x):
    return {Held(x + 1), Held(x * 2), Held(x - 5)}


COMPILE_OPTIONS = {"habit": "sets_made_again"}
