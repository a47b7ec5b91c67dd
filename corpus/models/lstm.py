# A long short-term memory (Hochreiter and Schmidhuber, 1997) written out, one step of time after the other.
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.from_input = nn.Linear(inputs, 4 * width)
        self.from_state = nn.Linear(width, 4 * width, bias=False)

    def forward(self, x, hidden, memory):
        gates = self.from_input(x) + self.from_state(hidden)
        take, forget, new, give = gates.chunk(4, dim=1)
        memory = torch.sigmoid(forget) * memory
        new = torch.tanh(new)
        memory = memory + torch.sigmoid(take) * new
        seen = torch.tanh(memory)
        hidden = torch.sigmoid(give) * seen
        return hidden, memory


class Lstm(nn.Module):
    def __init__(self, inputs=6, width=8, outputs=4):
        super().__init__()
        self.width = width
        self.cell = Cell(inputs, width)
        self.head = nn.Linear(width, outputs)

    def forward(self, x):
        steps, batch, _ = x.shape
        hidden = x.new_zeros(batch, self.width)
        memory = x.new_zeros(batch, self.width)
        outputs = []
        for step in range(steps):
            hidden, memory = self.cell(x[step], hidden, memory)
            outputs.append(hidden)
        y = torch.stack(outputs)
        y = self.head(y)
        return y, hidden, memory


torch.manual_seed(11)
program = Lstm()


def make_inputs():
    g = torch.Generator().manual_seed(12)
    return (torch.randn(5, 2, 6, generator=g),)
