# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(344)
    return (
        torch.randn((6, 8, 2), generator=g, dtype=torch.float64).clamp(-2, 2),
        torch.rand((3, 2, 3, 1), generator=g) * 16 - 8.0,
        torch.rand((6, 8, 2), generator=g, dtype=torch.float64) * 2 - 1.0,
        torch.randn((3, 2, 3, 1), generator=g).clamp(-3, 3),
        torch.randn((1, 1), generator=g).clamp(-3, 3),
        torch.randint(-3, 3, (2, 2), generator=g),
        torch.rand((2, 2, 1), generator=g),
        torch.rand((1,), generator=g) + 0.5,
        torch.rand((3, 3, 1, 2), generator=g) + 0.5,
        torch.randn((2, 7, 8), generator=g, dtype=torch.float64).clamp(-0.9375, 0.9375),
        torch.rand((3, 2, 3, 1), generator=g, dtype=torch.float16) * 4.84375 - 8.0,
        torch.rand((3, 2, 3, 1), generator=g, dtype=torch.complex64) * 2 - (1 + 1j),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11):
    v12, v13 = torch._foreach_clamp_min([v0, v1], [v2, v3])
    v14 = v4.unique(sorted=False)
    v15 = torch.ops.higher_order.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, torch.tanh(a) * 2), (torch.tensor(0), v13.clone(memory_format=torch.contiguous_format)), ())[1]
    v16 = torch.ceil(v13)
    v17 = torch.func.vmap(lambda a: torch.sin(a) + a, -3, 3)(v13)
    v18 = v15.index_put_((v5, torch.tensor([1, 0]).view(2, 1), torch.tensor([1]),), v6, True)
    v19 = torch.addcdiv(v14, v17, v7, out=v8)
    v20 = v9.asin_()
    v21 = v13.heaviside(v16)
    v22 = v18 <= v10
    v23 = v16.char()
    v24 = v11.resolve_conj()
    v25 = torch.lt(v13, v23)
    v26 = v25.sigmoid()
    v27 = torch.nn.functional.interpolate(v18, size=(5, 3), mode="area")
    v28 = torch.nn.functional.pdist(v4, p=2.0)
    v29 = torch.relu(v26)
    v30 = v26.reciprocal_()
    v31, v32, v33 = torch._foreach_frac([v13, v12, v1])
    v34 = torch.clamp(v31, -1.5, 4.5)
    return v19, v20, v21, v22, v24, v27, v28, v29, v30, v32, v33, v34
