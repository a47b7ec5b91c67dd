# auraloss: losses in the time domain: signal to distortion, error to signal.
import auraloss
import torch

losses = [auraloss.time.SISDRLoss(), auraloss.time.ESRLoss(), auraloss.time.LogCoshLoss(), auraloss.time.SNRLoss()]


def make_inputs():
    g = torch.Generator().manual_seed(1)
    wanted = torch.randn(2, 1, 120, generator=g)
    return (wanted + torch.randn(2, 1, 120, generator=g) * 1e-2).requires_grad_(), wanted


def program(shown, wanted):
    return [loss(shown, wanted) for loss in losses]
