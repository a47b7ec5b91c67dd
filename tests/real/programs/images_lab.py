# kornia: colours to Lab and back.
import kornia
import torch


def make_inputs():
    return (torch.rand(1, 3, 5, 6, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(image):
    lab = kornia.color.rgb_to_lab(image)
    return lab, kornia.color.lab_to_rgb(lab), kornia.color.rgb_to_hsv(image)
