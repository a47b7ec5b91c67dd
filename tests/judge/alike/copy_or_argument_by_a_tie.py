# judge: unstable
# backend: backends/other_kernels.py
# class: state_after
# rule: other_choices
# construct: a list of a copy and an argument, indexed by which equal element is named
# why: What is returned is a copy or the argument by a free choice.
import torch


def make_inputs():
    return (torch.tensor([1.0, 5.0, 2.0]), torch.tensor([[3.0, 3.0]]))


def program(x, t):
    return [x.clone(), x][int(t.max(1).indices)]


COMPILE_OPTIONS = {"kernels": ["max"]}
