# zuko: log-densities of a flow of rational-quadratic splines.
import torch
import zuko

torch.manual_seed(0)
flow = zuko.flows.NSF(3, 2, transforms=2, hidden_features=(16,))


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(5, 3, generator=g).requires_grad_(), torch.randn(5, 2, generator=g).requires_grad_()


def program(x, context):
    return flow(context).log_prob(x)
