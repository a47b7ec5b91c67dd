# A small vision transformer (Dosovitskiy et al., 2020): patches of 4 x 4 of an image of 16 x 16, two layers.
import torch
from torch import nn
from torch.nn import functional as F


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.all = nn.Linear(width, 3 * width)
        self.join = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 2 * width)
        self.narrow = nn.Linear(2 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        y = self.all(self.norm1(x))
        y = y.reshape(batch, length, 3, self.heads, width // self.heads)
        q, k, v = y.permute(2, 0, 3, 1, 4)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        scores = scores * (width // self.heads) ** -0.5
        weights = scores.softmax(-1)
        y = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        x = x + self.join(y.flatten(2))
        y = self.wide(self.norm2(x))
        y = F.gelu(y, approximate="tanh")
        return x + self.narrow(y)


class VisionTransformer(nn.Module):
    def __init__(self, width=16, heads=2, layers=2, patch=4, side=16, classes=5):
        super().__init__()
        self.patch = patch
        count = (side // patch) ** 2
        self.embed = nn.Linear(3 * patch * patch, width)
        self.token = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.places = nn.Parameter(torch.randn(1, count + 1, width) * 0.02)
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, image):
        x = image.unfold(2, self.patch, self.patch).unfold(3, self.patch, self.patch)
        x = x.permute(0, 2, 3, 1, 4, 5)
        x = x.flatten(3).flatten(1, 2)
        x = self.embed(x)
        token = self.token.expand(x.shape[0], -1, -1)
        x = torch.cat((token, x), 1)
        x = x + self.places
        x = self.layers(x)
        x = self.norm(x[:, 0])
        return self.head(x)


torch.manual_seed(17)
program = VisionTransformer()
# As when the rest is tuned: no gradients in the beginning.
program.embed.requires_grad_(False)
program.token.requires_grad_(False)
program.places.requires_grad_(False)
program.layers[0].requires_grad_(False)


def make_inputs():
    g = torch.Generator().manual_seed(18)
    return (torch.randn(2, 3, 16, 16, generator=g),)
