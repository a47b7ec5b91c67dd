import torch


def make_inputs():
    return (torch.tensor([-1.0, 2.0, -3.0], requires_grad=True),)


def program(p):
    q = torch.nn.functional.leaky_relu(p, -0.5)
    return q
