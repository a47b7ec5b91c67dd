# judge: rejected
# backend: backends/habits.py
# class: none
# rule: eager_fails
# construct: make_inputs that raises
# why: There is nothing to compare.
import torch


def make_inputs():
    raise FileNotFoundError("no data")


def program(x):
    return x


COMPILE_OPTIONS = {"habit": "copies"}
