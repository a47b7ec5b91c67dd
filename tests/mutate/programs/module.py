# An nn.Module, a class with operators, tabs and odd formatting.
import torch
from torch import nn
from dataclasses import dataclass


@dataclass
class Pair:
	left: torch.Tensor
	right: torch.Tensor

	def merged(self) -> torch.Tensor:
		both = self.left + self.right   # a comment
		text = """
lines that stay
	as they are"""
		if len(text) > 3:
			both = torch.relu(both)
		return both


class Net(nn.Module):
  def __init__(self):
      super().__init__()
      torch.manual_seed(1)
      self.linear = nn.Linear(4, 3)
      self.register_buffer("bias2", torch.ones(3))

  def forward(self, x, *, gain=2):
      "A docstring."
      h = self.linear( x )
      # a comment of its own
      g = torch.tanh(
          h
      )
      pair = Pair(left=g,
 right=h)
      m = pair.merged() ; n = m * 2
      q = n - m
      r = q * gain
      s = \
          r + 1
      b = self.bias2 + 1
      c = b * 3
      return {"r": s, "c": c}


def make_inputs():
    g = torch.Generator().manual_seed(2)
    return (torch.randn(2, 4, generator=g),)


program = Net()
