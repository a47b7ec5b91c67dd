# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: acos of a cosine that should be one
# why: Beyond one there is no angle: NaN or a small number.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(13)
    return (torch.randn(12, 5, generator=g),)


def program(x):
    norm = x.norm(dim=1)
    return torch.acos((x * x).sum(1) / norm / norm)


COMPILE_OPTIONS = {"kernels": ["mul", "sum", "linalg_vector_norm", "div"]}
