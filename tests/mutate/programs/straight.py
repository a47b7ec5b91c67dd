import torch


def make_inputs():
    g = torch.Generator().manual_seed(11)
    return (torch.randn(3, 4, generator=g), torch.randn(4, generator=g), torch.randn(3, 1, generator=g))


def program(v0, v1, v2):
    v3 = torch.relu(v0)
    v4 = v3 + v1
    v5 = torch.mul(v4, v2)
    v6 = v5.t()
    v7 = torch.neg(v6)
    v8 = torch.tanh(v1)
    v9 = v8 > 0.25
    v10 = torch.where(v9, v1, v8)
    v11 = v7.sum(0)
    v12 = v10.reshape(2, 2)
    v13 = v12.transpose(0, 1)
    v14 = -v13
    v15 = v0.abs()
    v16 = v15 / 3
    v17 = torch.maximum(v16, v0)
    v18 = v17[1:]
    v19 = v18.clamp(min=0.1, max=0.9)
    return v11, v14, v19, v17, v9
