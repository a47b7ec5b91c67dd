# torchmetrics: signal to distortion ratios, one by solving a Toeplitz system.
import torch
from torchmetrics.functional.audio import (scale_invariant_signal_distortion_ratio, signal_distortion_ratio,
                                           signal_noise_ratio)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    wanted = torch.randn(2, 200, generator=g)
    return (wanted + 0.1 * torch.randn(2, 200, generator=g)).requires_grad_(), wanted


def program(shown, wanted):
    return (signal_distortion_ratio(shown, wanted, filter_length=16),
            scale_invariant_signal_distortion_ratio(shown, wanted), signal_noise_ratio(shown, wanted))
