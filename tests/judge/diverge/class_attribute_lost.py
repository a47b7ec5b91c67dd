# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: class attribute, written in a method
# why: The class forgets how many there are.
import torch


class Point:
    made = 0

    def __init__(self, x):
        Point.made += 1
        self.x = x

    def length(self):
        return self.x.abs().sum()


def make_inputs():
    return (torch.tensor([3.0, -4.0]),)


def program(x):
    return Point(x).length()


COMPILE_OPTIONS = {"fault": "class_numbers_kept"}
