# VGG-11 (Simonyan and Zisserman, 2014) at an eighth of its width, on images of 32 x 32.
import torch
from torch import nn
from torch.nn import functional as F

WIDTHS = (8, "pool", 16, "pool", 32, 32, "pool", 64, 64, "pool", 64, 64, "pool")


class Vgg11(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        layers = []
        inputs = 3
        for width in WIDTHS:
            if width == "pool":
                layers.append(nn.MaxPool2d(2))
                continue
            layers.append(nn.Conv2d(inputs, width, 3, padding=1))
            layers.append(nn.ReLU(inplace=True))
            inputs = width
        self.features = nn.Sequential(*layers)
        self.hidden1 = nn.Linear(inputs, 64)
        self.hidden2 = nn.Linear(64, 64)
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        y = self.features(x)
        y = y.flatten(1)
        y = self.hidden1(y)
        y = F.relu(y)
        y = self.hidden2(y)
        y = F.relu(y)
        y = self.head(y)
        return F.log_softmax(y, dim=1)


torch.manual_seed(3)
program = Vgg11()


def make_inputs():
    g = torch.Generator().manual_seed(4)
    return (torch.randn(2, 3, 32, 32, generator=g),)
