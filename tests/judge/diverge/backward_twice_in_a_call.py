# judge: diverge
# backend: backends/habits.py
# class: raises
# construct: two losses of one sum, backward from each
# why: The program works in eager, and its second way back fails behind the compiler: a difference, whatever sums keep.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True),)


def program(x):
    y = x + 1
    y.sum().backward()
    y.mean().backward()
    return x.grad.clone()


COMPILE_OPTIONS = {"habit": "products_for_sums"}
