# kornia: bilateral blur, median blur and a sum of squared gradients.
import kornia
import torch


def make_inputs():
    return (torch.rand(1, 2, 8, 9, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(image):
    smooth = kornia.filters.bilateral_blur(image, (3, 3), 0.1, (1.5, 1.5))
    return smooth, kornia.filters.median_blur(image, (3, 3)), kornia.filters.sobel(image)
