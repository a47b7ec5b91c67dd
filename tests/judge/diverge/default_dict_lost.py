# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: defaultdict
# why: A plain dict raises where this one makes an entry.
from collections import defaultdict

import torch


def make_inputs():
    return (torch.tensor([1, 2, 3, 4]),)


def program(x):
    groups = defaultdict(list)
    for i, item in enumerate(x.unbind()):
        groups[i % 2].append(item * 10)
    return groups


COMPILE_OPTIONS = {"fault": "plain_dicts"}
