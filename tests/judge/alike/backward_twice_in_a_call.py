# judge: agree
# backend: backends/habits.py
# class: raises
# rule: graph_freed
# construct: two losses of one sum, backward from each
# why: Eager's sums keep nothing that the first way back could free; a product of the compiler's does.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True),)


def program(x):
    y = x + 1
    y.sum().backward()
    y.mean().backward()
    return x.grad.clone()


COMPILE_OPTIONS = {"habit": "products_for_sums"}
