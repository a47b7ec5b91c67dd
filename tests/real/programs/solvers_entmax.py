# entmax: sparse softmaxes: by sorting, and by bisection.
import torch
from entmax import entmax15, entmax_bisect, sparsemax


def make_inputs():
    return (torch.randn(4, 9, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(scores):
    return sparsemax(scores, dim=-1), entmax15(scores, dim=-1), entmax_bisect(scores, 1.3, n_iter=25)
