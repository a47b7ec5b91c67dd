# generator 16
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
        torch.rand((3, 2, 3, 1), generator=g, dtype=torch.bfloat16) * 16 - 8.0,
        torch.rand((3, 2, 3, 1), generator=g, dtype=torch.complex64) * 2 - (1 + 1j),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11):
    v12, v13 = torch._foreach_clamp_min([v0, v1], [v2, v3])
    v14 = torch.unique(v4, sorted=False)
    v15 = torch.ops.higher_order.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, torch.tanh(a) * 2), (torch.tensor(0), v13.clone(memory_format=torch.contiguous_format)), ())[1]
    v16 = v13.ceil()
    v17 = torch.vmap(lambda a: torch.sin(a) + a, in_dims=-3, out_dims=3)(v13)
    v18 = torch.index_put_(v15, [v5, torch.tensor([1, 0]).view(2, 1), torch.tensor([1])], v6, accumulate=True)
    v19 = torch.addcdiv(v14, v17, v7, out=v8)
    v20 = v9.asin_()
    v21 = v13.heaviside(v16)
    v22 = v16.le(v10)
    v23 = v16.char()
    v24 = torch.resolve_conj(v11)
    v25 = v16 < v21
    v26 = torch.sigmoid(v18, out=v16)
    v27 = torch.nn.functional.interpolate(v26, scale_factor=(1.25, 1.5, ), mode="area", recompute_scale_factor=True)
    v28 = torch.nn.functional.pdist(v4, p=3.0)
    v29 = v20.relu()
    v30 = torch.reciprocal_(v26)
    v31, v32 = torch._foreach_frac([v12, v13])
    v33 = v31.clamp(min=0.0, max=3.0)
    return v19, v22, v23, v24, v25, v27, v28, v29, v30, v32, v33
