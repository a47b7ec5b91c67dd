# A transformer decoder (Vaswani et al., 2017): causal self-attention, then attention over a given memory, two layers.
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x, memory, causal):
        q = self.split(self.query(x))
        k = self.split(self.key(memory))
        v = self.split(self.value(memory))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        y = y.transpose(1, 2).flatten(2)
        return self.out(y)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.own = Attention(width, heads)
        self.other = Attention(width, heads)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.norm3 = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.SiLU(), nn.Linear(2 * width, width))

    def forward(self, x, memory):
        y = self.own(x, x, True)
        x = self.norm1(x + y)
        y = self.other(x, memory, False)
        x = self.norm2(x + y)
        y = self.feed(x)
        return self.norm3(x + y)


class Decoder(nn.Module):
    def __init__(self, words=50, width=16, heads=2, layers=2):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        angles = torch.arange(32.0)[:, None] / 100.0 ** (torch.arange(0, width, 2) / width)
        self.register_buffer("places", torch.stack((angles.sin(), angles.cos()), -1).flatten(1))

    def forward(self, tokens, memory):
        length = tokens.shape[1]
        x = self.words(tokens)
        x = x + self.places[:length]
        for layer in self.layers:
            x = layer(x, memory)
        # The weights of the words are used again on the way out.
        scores = x @ self.words.weight.t()
        return scores[:, -1]


torch.manual_seed(9)
program = Decoder()


def make_inputs():
    g = torch.Generator().manual_seed(10)
    tokens = torch.randint(0, 50, (2, 6), generator=g)
    memory = torch.randn(2, 5, 16, generator=g).requires_grad_()
    return (tokens, memory)
