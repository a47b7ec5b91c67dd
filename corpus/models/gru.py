# A gated recurrent unit (Cho et al., 2014) written out, forwards and backwards over the sequence.
import torch
from torch import nn


class Gru(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        scale = width**-0.5
        self.width = width
        self.weight_input = nn.Parameter(torch.empty(3 * width, inputs).uniform_(-scale, scale))
        self.weight_state = nn.Parameter(torch.empty(3 * width, width).uniform_(-scale, scale))
        self.bias = nn.Parameter(torch.zeros(3 * width))

    def step(self, x, hidden):
        of_input = x @ self.weight_input.t() + self.bias
        of_state = hidden @ self.weight_state.t()
        reset_input, update_input, new_input = of_input.split(self.width, dim=-1)
        reset_state, update_state, new_state = of_state.split(self.width, dim=-1)
        reset = torch.sigmoid(reset_input + reset_state)
        update = torch.sigmoid(update_input + update_state)
        new = torch.tanh(new_input + reset * new_state)
        return (1 - update) * new + update * hidden

    def forward(self, x, backwards):
        steps, batch, _ = x.shape
        hidden = x.new_zeros(batch, self.width)
        outputs = x.new_zeros(steps, batch, self.width)
        order = reversed(range(steps)) if backwards else range(steps)
        for step in order:
            hidden = self.step(x[step], hidden)
            outputs[step] = hidden
        return outputs


class BothWays(nn.Module):
    def __init__(self, inputs=5, width=6):
        super().__init__()
        self.ahead = Gru(inputs, width)
        self.back = Gru(inputs, width)
        self.head = nn.Linear(2 * width, 3)

    def forward(self, x):
        ahead = self.ahead(x, False)
        back = self.back(x, True)
        y = torch.cat((ahead, back), dim=-1)
        return self.head(y), y[-1]


torch.manual_seed(13)
program = BothWays()


def make_inputs():
    g = torch.Generator().manual_seed(14)
    return (torch.randn(4, 2, 5, generator=g).requires_grad_(),)
