# judge: agree
# backend: backends/refuses.py
# class: raises
# rule: expected_refusal
# construct: einsum, refused by the text of the message
# why: Or by the message.
import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(x):
    return torch.einsum("...i->...", x)


COMPILE_OPTIONS = {"kind": "other", "text": "einsum with an ellipsis is out of scope for this compiler"}
