# judge: agree
# backend: backends/habits.py
# class: value
# rule: tolerance
# construct: set of objects whose numbers lie on the edge of three digits
# why: Members are told apart by their numbers, not by rounded ones.
import torch


class Row:
    def __init__(self, t):
        self.t = t


def make_inputs():
    return (torch.tensor([1.005, 1.01, 2.005, 2.01, 3.005, 3.01, 4.005, 4.01]),)


def program(x):
    return {Row(t) for t in x.unbind()}


COMPILE_OPTIONS = {"habit": "sets_made_again"}
