# torchode: a batch of initial values, each with steps of its own.
import torch
import torchode


def field(t, y):
    return torch.stack([y[:, 1], (1 - y[:, 0] ** 2) * y[:, 1] - y[:, 0]], 1)


term = torchode.ODETerm(field)
method = torchode.Tsit5(term=term)
solver = torchode.AutoDiffAdjoint(method, torchode.IntegralController(atol=1e-4, rtol=1e-3, term=term))


def make_inputs():
    return (torch.tensor([[1.0, 0.1], [0.2, 0.9]]).requires_grad_(), torch.linspace(0, 2, 5).repeat(2, 1))


def program(start, times):
    answer = solver.solve(torchode.InitialValueProblem(y0=start, t_eval=times))
    return answer.ys, answer.stats["n_steps"]
