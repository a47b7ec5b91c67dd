# judge: agree
# backend: aot_eager
# class: mode
# rule: random_operators
# construct: dropout and rand whose results nothing reads
# why: torch removes them unless it is asked for the random numbers of eager, as the runner does.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    unused = torch.nn.functional.dropout(x)
    torch.rand(2)
    return x + 1
