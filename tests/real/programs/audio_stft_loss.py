# auraloss: a spectral loss at several resolutions.
import auraloss
import torch

loss = auraloss.freq.MultiResolutionSTFTLoss(fft_sizes=[64, 32], hop_sizes=[16, 8], win_lengths=[48, 24])


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(1, 1, 300, generator=g).requires_grad_(), torch.randn(1, 1, 300, generator=g)


def program(shown, wanted):
    return loss(shown, wanted)
