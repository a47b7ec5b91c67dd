# ResNet-18 (He et al., 2015) at an eighth of its width, on images of 32 x 32.
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.shortcut = None
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        kept = x if self.shortcut is None else self.shortcut(x)
        y = self.conv1(x)
        y = self.norm1(y)
        y = F.relu(y)
        y = self.conv2(y)
        y = self.norm2(y)
        y = y + kept
        return F.relu(y)


class ResNet18(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(width)
        blocks = []
        inputs = width
        for stage in range(4):
            outputs = width * 2**stage
            blocks.append(Block(inputs, outputs, 1 if stage == 0 else 2))
            blocks.append(Block(outputs, outputs, 1))
            inputs = outputs
        self.blocks = nn.ModuleList(blocks)
        self.head = nn.Linear(inputs, classes)

    def forward(self, x):
        y = self.stem(x)
        y = self.norm(y)
        y = torch.relu(y)
        y = F.max_pool2d(y, 3, 2, 1)
        for block in self.blocks:
            y = block(y)
        y = F.adaptive_avg_pool2d(y, 1)
        y = torch.flatten(y, 1)
        return self.head(y)


torch.manual_seed(1)
program = ResNet18().eval()
# As when the rest is tuned: no gradients in the beginning.
program.stem.requires_grad_(False)
program.norm.requires_grad_(False)


def make_inputs():
    g = torch.Generator().manual_seed(2)
    return (torch.randn(2, 3, 32, 32, generator=g),)
