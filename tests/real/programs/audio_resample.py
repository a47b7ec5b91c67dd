# julius: resampling by a fraction, and a bank of low-pass filters by fast convolution.
import julius
import torch

resample = julius.ResampleFrac(4, 3)
bands = julius.SplitBands(1000, n_bands=3)


def make_inputs():
    return (torch.randn(2, 240, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(sound):
    return resample(sound), bands(sound)
