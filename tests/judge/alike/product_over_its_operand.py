# judge: agree
# backend: aot_eager
# class: state_after
# rule: other_choices
# construct: matrix_power with out= its operand
# why: Eager reads what it has written already; a graph without writes does not.
import torch


def make_inputs():
    return (torch.tensor([[1.0, 2.0], [3.0, 4.0]]),)


def program(x):
    return torch.matrix_power(x, 2, out=x) + 1


