# A transformer encoder (Vaswani et al., 2017): two layers of self-attention over tokens, with a mask of padding.
import math

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.all = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, mask):
        batch, length, width = x.shape
        q, k, v = self.all(x).chunk(3, dim=-1)
        q = q.view(batch, length, self.heads, -1).transpose(1, 2)
        k = k.view(batch, length, self.heads, -1).transpose(1, 2)
        v = v.view(batch, length, self.heads, -1).transpose(1, 2)
        scores = q @ k.transpose(-2, -1)
        scores = scores / math.sqrt(width // self.heads)
        scores = scores.masked_fill(mask[:, None, None, :], -1e4)
        weights = torch.softmax(scores, dim=-1)
        y = weights @ v
        y = y.transpose(1, 2).reshape(batch, length, width)
        return self.out(y)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.wide = nn.Linear(width, 2 * width)
        self.narrow = nn.Linear(2 * width, width)

    def forward(self, x, mask):
        y = self.norm1(x)
        y = self.attention(y, mask)
        x = x + y
        y = self.norm2(x)
        y = F.gelu(self.wide(y))
        y = self.narrow(y)
        return x + y


class Encoder(nn.Module):
    def __init__(self, words=50, width=16, heads=4, layers=2, longest=12):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Parameter(torch.randn(longest, width) * 0.1)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        mask = tokens == 0
        x = self.words(tokens)
        x = x + self.places[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x, mask)
        x = self.norm(x)
        x = x.masked_fill(mask[..., None], 0.0)
        return x, x.sum(1)


torch.manual_seed(7)
program = Encoder()
# As when the rest is tuned: no gradients in the beginning.
program.words.requires_grad_(False)
program.places.requires_grad_(False)
program.layers[0].requires_grad_(False)


def make_inputs():
    g = torch.Generator().manual_seed(8)
    tokens = torch.randint(1, 50, (2, 10), generator=g)
    tokens[1, 7:] = 0
    return (tokens,)
