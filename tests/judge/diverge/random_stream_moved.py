# judge: diverge
# backend: backends/effects.py
# class: mode
# construct: a program without chance, torch's generator
# why: Nothing random is computed, and yet the caller's stream has moved.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x.sinh()


COMPILE_OPTIONS = {"fault": "draws_once_more"}
