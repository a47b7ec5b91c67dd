# pytorch-msssim: structural similarity, single and multi-scale.
import torch
from pytorch_msssim import ms_ssim, ssim


def make_inputs():
    g = torch.Generator().manual_seed(1)
    image = torch.rand(1, 1, 48, 48, generator=g)
    return image.requires_grad_(), (image.detach() + 0.05 * torch.randn(1, 1, 48, 48, generator=g)).clamp(0, 1)


def program(x, y):
    return ssim(x, y, data_range=1.0), ms_ssim(x, y, data_range=1.0, win_size=3, weights=[0.4, 0.3, 0.3])
