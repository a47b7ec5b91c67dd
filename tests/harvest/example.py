"""A small program of a user's: functions, methods, operators and modules of torch, in a subprocess and a thread too."""

import subprocess
import sys
import threading

import torch

CHILD = "import torch\ntorch.fliplr(torch.arange(6.0).reshape(2, 3))\n"


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ELU(alpha=0.5), torch.nn.Flatten())

    def forward(self, x):
        return self.layers(x).softmax(-1) * 2


def aliased():
    """A write through one of two arguments that share memory."""
    x = torch.arange(6.0)
    torch.add(x[:4], x[2:], alpha=3)
    x[1:3] = 7
    x[::2].add_(1)
    return x


def main():
    torch.manual_seed(0)
    model = Model()
    model(torch.ones(2, 4)).sum().backward()
    for _ in range(3):  # again and again the same
        torch.roll(torch.arange(10.0).reshape(2, 5).t(), 7, dims=0)
    torch.nn.functional.pad(torch.ones(30, 30), (1, 2), value=-1.5)  # large
    torch.rand(3) + torch.nn.Dropout()(torch.ones(3))  # random
    aliased()
    worker = threading.Thread(target=lambda: torch.diagonal(torch.eye(3), offset=1))
    worker.start()
    worker.join()
    subprocess.run([sys.executable, "-c", CHILD], check=True)


if __name__ == "__main__":
    main()
