# judge: diverge
# backend: backends/habits.py
# class: state_after
# construct: the steps that Adam counts
# why: The compiler counts a step twice, so that the corrections of the first steps are those of later ones.
import torch

model = torch.nn.Linear(5, 2).double()
adam = torch.optim.Adam(model.parameters(), lr=0.05, foreach=False)


def make_inputs():
    torch.manual_seed(3)
    return [(torch.randn(7, 5, dtype=torch.float64),) for _ in range(3)]


def program(x):
    adam.zero_grad()
    loss = (model(x) - x[:, :2]).square().mean()
    loss.backward()
    adam.step()
    return loss.detach()


def lean(x):
    shown = program(x)
    for state in adam.state.values():
        state["step"] += 1
    return shown


COMPILE_OPTIONS = {"habit": "other_order"}
