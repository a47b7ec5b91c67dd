# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: argmax of rows of equal elements, counted by whether rows agree
# why: Which of equal elements is named is free in each row, not only in all rows alike.
import torch


def make_inputs():
    return (torch.ones(12, 3),)


def program(x):
    places = x.argmax(1)
    return (places == places[0]).sum()


def lean(x):
    return torch.tensor(4)


COMPILE_OPTIONS = {"habit": "other_order"}
