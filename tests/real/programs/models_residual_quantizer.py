# vector-quantize-pytorch: residual vector quantisation with fixed codebooks: nearest codes are indices.
import torch
from vector_quantize_pytorch import ResidualVQ

torch.manual_seed(0)
model = ResidualVQ(dim=8, num_quantizers=3, codebook_size=16).eval()


def make_inputs():
    return (torch.randn(2, 10, 8, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(vectors):
    quantized, codes, losses = model(vectors)
    return quantized, codes, losses
