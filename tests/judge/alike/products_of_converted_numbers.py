# judge: agree
# backend: inductor
# class: value
# rule: other_choices
# construct: prod with an integer dtype of numbers beyond its range
# why: The operator converts its operand before it multiplies.
import torch


def make_inputs():
    return (torch.tensor([[float("nan"), 3e9, -5e9, 1e20, 7.5, 300, -3]]),)


def program(x):
    return x.prod(0, dtype=torch.int8)
