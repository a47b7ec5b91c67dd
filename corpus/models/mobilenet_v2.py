# MobileNetV2 (Sandler et al., 2018), narrow and with one block a stage, on images of 32 x 32.
import torch
from torch import nn
from torch.nn import functional as F

# expansion, channels, stride
STAGES = ((1, 8, 1), (4, 12, 2), (4, 12, 1), (4, 16, 2), (4, 16, 1), (4, 24, 2))


class Inverted(nn.Module):
    def __init__(self, inputs, outputs, stride, expansion):
        super().__init__()
        hidden = inputs * expansion
        self.adds = stride == 1 and inputs == outputs
        self.widen = nn.Conv2d(inputs, hidden, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(hidden)
        self.depth = nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False)
        self.norm2 = nn.BatchNorm2d(hidden)
        self.narrow = nn.Conv2d(hidden, outputs, 1, bias=False)
        self.norm3 = nn.BatchNorm2d(outputs)

    def forward(self, x):
        y = F.relu6(self.norm1(self.widen(x)))
        y = self.depth(y)
        y = self.norm2(y)
        y = F.relu6(y)
        y = self.narrow(y)
        y = self.norm3(y)
        if self.adds:
            y = y + x
        return y


class MobileNetV2(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 2, 1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        inputs = 8
        self.blocks = nn.Sequential()
        for expansion, outputs, stride in STAGES:
            self.blocks.append(Inverted(inputs, outputs, stride, expansion))
            inputs = outputs
        self.head = nn.Linear(inputs, classes)

    def forward(self, x):
        y = self.stem(x)
        y = F.relu6(self.norm(y))
        y = self.blocks(y)
        y = y.mean((2, 3))
        return self.head(y)


torch.manual_seed(5)
program = MobileNetV2().eval()


def make_inputs():
    g = torch.Generator().manual_seed(6)
    return (torch.randn(2, 3, 32, 32, generator=g),)
