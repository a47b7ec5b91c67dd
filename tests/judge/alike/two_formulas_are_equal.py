# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: lerp, eq with its definition
# why: A compiler that writes lerp out computes both sides alike.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(4)
    return (torch.randn(300, generator=g), torch.randn(300, generator=g))


def program(a, b):
    return torch.lerp(a, b, 0.3) == a + 0.3 * (b - a)


COMPILE_OPTIONS = {"kernels": ["lerp:parts"]}
