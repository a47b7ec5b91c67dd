# judge: rejected
# backend: backends/habits.py
# class: none
# rule: eager_fails
# construct: os.abort in the program
# why: A program that kills eager accuses nobody.
import os

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    os.abort()


COMPILE_OPTIONS = {"habit": "copies"}
