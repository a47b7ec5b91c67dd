# judge: diverge
# backend: backends/guards.py
# class: value
# construct: dict argument whose keys come in another order
# why: The items are taken in the order of the first call.
import torch


def make_inputs():
    a, b = torch.tensor(1.0), torch.tensor(2.0)
    return [({"a": a, "b": b},), ({"b": b, "a": a},)]


def program(table):
    return torch.stack(list(table.values()))


COMPILE_OPTIONS = {"fault": "key_order"}
