# kornia: Canny edges: thresholds and non-maximum suppression by angle.
import kornia
import torch


def make_inputs():
    return (torch.rand(1, 1, 10, 12, generator=torch.Generator().manual_seed(1)),)


def program(image):
    magnitude, edges = kornia.filters.canny(image, 0.2, 0.5, (3, 3), (1.0, 1.0))
    return magnitude, edges
