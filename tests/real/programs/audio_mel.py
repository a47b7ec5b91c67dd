# nnAudio: a mel spectrogram in decibels by convolution.
import torch
from nnAudio.features import MelSpectrogram

mel = MelSpectrogram(sr=2000, n_fft=64, hop_length=32, n_mels=8, verbose=False)


def make_inputs():
    return (torch.randn(1, 400, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(sound):
    energy = mel(sound)
    return energy, 10 * torch.log10(energy.clamp_min(1e-10))
