# nnAudio: a constant-Q transform with phase.
import torch
from nnAudio.features import CQT1992v2

cqt = CQT1992v2(sr=2000, hop_length=64, fmin=100, n_bins=12, bins_per_octave=6, output_format="Complex", verbose=False)


def make_inputs():
    return (torch.randn(1, 500, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(sound):
    answer = cqt(sound)
    return answer, answer.pow(2).sum(-1).sqrt(), torch.atan2(answer[..., 1], answer[..., 0])
