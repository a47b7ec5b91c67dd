# kornia: SIFT descriptors of patches (soft histograms of angles).
import kornia
import torch

program = kornia.feature.SIFTDescriptor(16, 4, 2)


def make_inputs():
    return (torch.rand(2, 1, 16, 16, generator=torch.Generator().manual_seed(1)).requires_grad_(),)
