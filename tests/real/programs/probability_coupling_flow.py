# normflows: coupling layers and a Glow block's invertible mixing.
import normflows
import torch

torch.manual_seed(0)
layers = []
for _ in range(2):
    layers.append(normflows.flows.AffineCouplingBlock(normflows.nets.MLP([2, 16, 4], init_zeros=False)))
    layers.append(normflows.flows.LULinearPermute(4))
model = normflows.NormalizingFlow(normflows.distributions.DiagGaussian(4), layers)


def make_inputs():
    return (torch.randn(5, 4, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(x):
    return model.log_prob(x)
