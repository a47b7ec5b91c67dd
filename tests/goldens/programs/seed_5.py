# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(344)
    return (
        torch.randn((6, 8, 2), generator=g).clamp(-2, 2),
        torch.rand((3, 2, 3, 1), generator=g) * 16 - 8.0,
        torch.rand((6, 8, 2), generator=g) * 2 - 1.0,
        torch.full((1, 7, 3), 1.0),
        torch.rand((1,), generator=g) + 1.0,
        torch.randint(-6, 6, (4, 2), generator=g, dtype=torch.int32),
        torch.randn((4, 2, 8, 2), generator=g).clamp(-1, 1),
        torch.randn((1, 7, 3), generator=g).clamp(-0.9375, 0.9375),
        (torch.rand((1, 1), generator=g, dtype=torch.complex64) * 16 - (8 + 8j)).expand(8, 1),
        torch.randn((8, 7), generator=g).clamp(-3, 3),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9):
    v10, v11 = torch._foreach_clamp_min([v0, v1], [v2, v1])
    v12, v13 = v3.unique(return_inverse=True)
    v14 = torch.ops.higher_order.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, torch.sin(a)), (torch.tensor(0), v10.clone(memory_format=torch.contiguous_format)), ())[1]
    v15 = torch.ceil(v1)
    v16 = torch.func.vmap(lambda a: a.clone().mul_(2), 0, 0)(v4)
    v17 = torch.index_put(v10, (v5,), v6, True)
    v18 = v12.addcdiv(v16, v4, value=-1.0)
    v19 = v7.asin_()
    v20 = v15.heaviside(v11)
    v21 = v11.le(2)
    v22 = v15.char()
    v23 = torch.resolve_conj(v8)
    v24 = v15 < v22
    v25 = torch.sigmoid(v15)
    v26 = torch.nn.functional.interpolate(v11, scale_factor=2.0, mode="area")
    v27 = torch.nn.functional.pdist(v9, p=3.0)
    v28 = torch.relu(v25)
    v29 = v16.reciprocal_()
    v30, v31, v32 = torch._foreach_frac([v11, v10, v6])
    v33 = torch.clamp(v11, -1.5, 6.0)
    return (v13, v14, v17, v18, v19, v20, v21, v23, v24, v26, v27, v28, v29, v30, v31, v32,
        v33)
