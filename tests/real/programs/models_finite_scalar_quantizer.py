# vector-quantize-pytorch: finite scalar quantisation, whose codes are indices.
import torch
from vector_quantize_pytorch import FSQ

torch.manual_seed(0)
program = FSQ(levels=[8, 5, 5], dim=6)


def make_inputs():
    return (torch.randn(2, 10, 6, generator=torch.Generator().manual_seed(1)).requires_grad_(),)
