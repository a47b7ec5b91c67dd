# judge: agree
# backend: backends/habits.py
# class: raises
# rule: graph_freed
# construct: a sum over calls that the state holds
# why: The way back of the second call leads through the graph of the first, whose own has freed what it kept.
import torch

total = torch.zeros(2)


def make_inputs():
    return [(torch.tensor([3.0, 1.0], requires_grad=True),), (torch.tensor([1.0, 2.0], requires_grad=True),)]


def program(x):
    global total
    total = x + total
    return total.sum()


COMPILE_OPTIONS = {"habit": "products_for_sums"}
