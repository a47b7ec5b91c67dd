# U-Net (Ronneberger et al., 2015): two steps down, two up, with the maps of the way down joined on the way up.
import torch
from torch import nn
from torch.nn import functional as F


class Twice(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.norm = nn.GroupNorm(2, outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)

    def forward(self, x):
        y = self.conv1(x)
        y = self.norm(y)
        y = F.leaky_relu(y, 0.1)
        y = self.conv2(y)
        return F.leaky_relu(y, 0.1)


class UNet(nn.Module):
    def __init__(self, width=4, classes=3):
        super().__init__()
        self.down1 = Twice(1, width)
        self.down2 = Twice(width, 2 * width)
        self.bottom = Twice(2 * width, 4 * width)
        self.raise2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.up2 = Twice(4 * width, 2 * width)
        self.up1 = Twice(3 * width, width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        map1 = self.down1(x)
        map2 = F.max_pool2d(map1, 2)
        map2 = self.down2(map2)
        y = F.avg_pool2d(map2, 2)
        y = self.bottom(y)
        y = self.raise2(y)
        y = torch.cat((map2, y), dim=1)
        y = self.up2(y)
        y = F.interpolate(y, scale_factor=2, mode="nearest")
        y = torch.cat((map1, y), dim=1)
        y = self.up1(y)
        y = self.head(y)
        return y.softmax(1)


torch.manual_seed(15)
program = UNet()
# As when the rest is tuned: no gradients in the beginning.
program.down1.requires_grad_(False)
program.down2.requires_grad_(False)


def make_inputs():
    g = torch.Generator().manual_seed(16)
    return (torch.randn(1, 1, 16, 16, generator=g),)
