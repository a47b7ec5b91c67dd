# judge: agree
# backend: backends/habits.py
# class: leaf
# rule: leaf
# construct: a leaf returned as it is
# why: A copy of a leaf is no leaf; its gradient arrives all the same.
import torch


def make_inputs():
    return (torch.ones(2, 2, requires_grad=True),)


def program(x):
    return x


COMPILE_OPTIONS = {"habit": "copies"}
