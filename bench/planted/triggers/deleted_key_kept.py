import torch

table = {"old": 1}


def program():
    table["new"] = table.pop("old") + 1
    q = torch.ones(2) * table["new"]
    return q
