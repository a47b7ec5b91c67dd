# judge: agree or unstable
# backend: inductor
# class: value
# rule: monte_carlo
# construct: twenty steps of sine map, by Inductor
# why: Its sine is not eager's sine.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 40),)


def program(x):
    for _ in range(20):
        x = 3.1 * torch.sin(x)
    return x
