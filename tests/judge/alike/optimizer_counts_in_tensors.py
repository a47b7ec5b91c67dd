# judge: agree
# backend: backends/habits.py
# class: value
# rule: monte_carlo
# construct: Adam of double parameters, one by one and in lists
# why: When it is compiled it computes 1 - beta ** step in the float32 of the tensor that counts the steps.
import torch

models = [torch.nn.Linear(5, 2).double() for _ in range(2)]
adams = [torch.optim.Adam(model.parameters(), lr=0.05, foreach=lists) for model, lists in zip(models, (False, True))]


def make_inputs():
    torch.manual_seed(3)
    return [(torch.randn(7, 5, dtype=torch.float64),) for _ in range(3)]


def program(x):
    losses = []
    for model, adam in zip(models, adams):
        adam.zero_grad()
        loss = (model(x) - x[:, :2]).square().mean()
        loss.backward()
        adam.step()
        losses.append(loss.detach())
    return losses


def lean(x):
    asked, torch.compiler.is_compiling = torch.compiler.is_compiling, lambda: True
    try:
        return program(x)
    finally:
        torch.compiler.is_compiling = asked


COMPILE_OPTIONS = {"habit": "other_order"}
