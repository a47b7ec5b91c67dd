# judge: agree
# backend: backends/later.py
# class: gradient
# rule: bitwise
# construct: hooks of two leaves, which append to one list
# why: A compiled graph's backward gives all gradients at once; in which order hooks of different tensors run is not promised.
import torch

order = []


def make_inputs():
    calls = [(torch.ones(2, requires_grad=True), torch.full((2,), 3.0, requires_grad=True)) for _ in range(2)]
    for first, second in calls:
        first.register_hook(lambda gradient: order.append("first"))
        second.register_hook(lambda gradient: order.append("second"))
    return calls


def program(x, y):
    return (x.sin() * y).exp() - x


COMPILE_OPTIONS = {"habit": "hooks_in_other_order"}
