# judge: agree or unstable
# backend: backends/other_kernels.py
# class: gradient
# rule: small_numbers
# construct: cross_entropy of confident scores
# why: Each gradient is the rest of a probability that is 1 but for rounding, of which eager has no right digit either.
import torch


def make_inputs():
    scores = torch.tensor([[16.3, 0.25, -1.5], [-2.0, 15.45, 0.5]], requires_grad=True)
    return scores, torch.tensor([0, 1])


def program(scores, labels):
    return torch.nn.functional.cross_entropy(scores, labels)


COMPILE_OPTIONS = {"kernels": ["_log_softmax"]}
