# roma: the nearest rotation of a matrix, by singular values.
import roma
import torch


def make_inputs():
    return (torch.randn(4, 3, 3, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(matrices):
    rotations, singular = roma.special_procrustes(matrices, return_singular_values=True)
    return rotations, singular
