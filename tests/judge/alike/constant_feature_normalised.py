# judge: unstable
# backend: inductor
# class: value
# rule: monte_carlo
# construct: division by the standard deviation of equal elements
# why: Their rounded mean may be another one, and then it is not zero.
import torch


def make_inputs():
    return (torch.full((2, 7), 0.3, requires_grad=True), torch.arange(7.0))


def program(x, y):
    return (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True) * y
