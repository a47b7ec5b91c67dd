# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6734)
    return (
        torch.randn((3, 8, 7, 3, 3), generator=g, dtype=torch.float16).clamp(-8, 8),
        torch.randn((8, 7), generator=g).clamp(-2, 2),
        torch.rand((3, 2, 3, 1), generator=g) * 16 - 8.0,
        torch.randn((3, 2), generator=g).clamp(-8, 8)[..., ::2],
        torch.randn((5, 15), generator=g, dtype=torch.float64).clamp(-0.9375, 0.9375),
        torch.rand((3, 1, 3, 1), generator=g) + 0.5,
        torch.randn((3, 1), generator=g).clamp(-1, 1),
        torch.rand((15,), generator=g, dtype=torch.float64),
        torch.rand((15,), generator=g, dtype=torch.float64) * 4 - 2.0,
        torch.rand((3, 8, 7, 3, 3), generator=g, dtype=torch.float64),
        torch.randint(0, 2, (3, 2), generator=g, dtype=torch.bool),
        torch.rand((6,), generator=g) * 4 - 2.0,
        torch.rand((3, 12, 1), generator=g) * 7.75 + 0.25,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12):
    v13 = torch.nn.functional.pixel_shuffle(v0, 1)
    v14 = torch.nn.functional.max_pool1d(v1, (5,), (5,), dilation=1)
    v15, v16 = torch.cummax((v13.double() * 8).trunc() * 8 + torch.arange(8).view(1, 8, 1, 1, 1), -4)
    v17 = torch.cumprod(v14, dim=-2)
    v18 = torch.tensor([[-1.0, 0.0], [-0.5, 0.5], [2.5, -1.5]], dtype=torch.float32)
    v19 = torch.nn.functional.unfold(v2, (2, 3), (2, 1), (0, 2), (2, 3))
    v20 = torch.norm(v19, 3, dim=1, out=v3)
    v21 = torch.atanh(v4)
    v22 = torch.nn.functional.conv_transpose2d(v19, v5, stride=(3, 3), padding=(2, 0), groups=3, dilation=1)
    v23, v24 = torch._foreach_sub_([v20, v14], [v6, v17])
    v25 = torch.nn.functional.batch_norm(v21, None, None, v7, v8, True, 1.0, 1e-05)
    v26, v27 = torch._foreach_div([v9, v25], [2.0, 0.5])
    v28 = v13.cos()
    v29 = torch.masked_scatter(v23, v10, v11)
    v30 = torch.nn.functional.logsigmoid(v28)
    v29[:] = v18
    v31 = v29
    v32 = torch.cumulative_trapezoid(v22, dx=0.25, dim=-3)
    v33 = v29.relu_()
    v34 = torch.div(v19, v12, rounding_mode="floor")
    v35 = v19.exp2()
    return v15, v16, v24, v26, v27, v30, v31, v32, v33, v34, v35
