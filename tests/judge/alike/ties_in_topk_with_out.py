# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: topk with ties and out=
# why: The tensors that it writes hold the same free choice as those that it returns.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0, 3.0, 2.0, 1.0, 3.0]), torch.empty(2), torch.empty(2, dtype=torch.int64))


def program(x, values, indices):
    torch.topk(x, 2, out=(values, indices))
    return values + 1, indices + 1


COMPILE_OPTIONS = {"kernels": ["topk"]}
