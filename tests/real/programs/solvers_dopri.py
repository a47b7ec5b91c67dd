# torchdiffeq: an adaptive Runge-Kutta solution of a small neural equation.
import torch
from torchdiffeq import odeint

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2))


def make_inputs():
    return torch.tensor([[1.0, 0.0], [0.3, -0.4]]).requires_grad_(), torch.linspace(0, 1, 4)


def program(start, times):
    return odeint(lambda t, y: net(y), start, times, rtol=1e-4, atol=1e-5, method="dopri5")
