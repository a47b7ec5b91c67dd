# asteroid-filterbanks: a short-time Fourier encoder, a mask, and its decoder.
import torch
from asteroid_filterbanks import make_enc_dec
from asteroid_filterbanks.transforms import apply_mag_mask, mag

torch.manual_seed(0)
encoder, decoder = make_enc_dec("stft", n_filters=32, kernel_size=32, stride=16)


def make_inputs():
    return (torch.randn(1, 1, 200, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(sound):
    spectrum = encoder(sound)
    return decoder(apply_mag_mask(spectrum, torch.sigmoid(mag(spectrum))))
