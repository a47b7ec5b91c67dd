# judge: diverge
# backend: backends/gradients.py
# class: value
# construct: backward of the program's own, on an argument that has a gradient
# why: What it computes is added to the gradient that was there, in the float64 run, too.
import torch


def make_inputs():
    x = torch.tensor([3.0, 1.0], requires_grad=True)
    x.grad = torch.tensor([10.0, 20.0])
    return (x,)


def program(x):
    (x * x).sum().backward()
    return x.grad.clone()


COMPILE_OPTIONS = {"fault": "gradients_begin_anew"}
