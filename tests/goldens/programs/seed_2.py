# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6734)
    return (
        torch.randint(0, 10, (3, 8, 7, 3, 3), generator=g),
        torch.rand((8, 2, 3), generator=g, dtype=torch.bfloat16),
        torch.rand((8, 1, 3, 1), generator=g, dtype=torch.bfloat16) + 1.0,
        torch.rand((1, 6, 1), generator=g, dtype=torch.bfloat16).expand(2, 6, 1),
        torch.randn((2,), generator=g).clamp(-3, 3),
        torch.rand((2,), generator=g) * 0.9375 + 0.0625,
        torch.rand((2,), generator=g),
        torch.rand((), generator=g, dtype=torch.bfloat16) * 7.9375 + 0.0625,
        torch.rand((8, 2, 3), generator=g, dtype=torch.bfloat16) + 0.5,
        torch.rand((8, 2, 1), generator=g, dtype=torch.bfloat16) + 0.5,
        torch.randint(0, 2, (), generator=g, dtype=torch.bool),
        torch.randn((14,), generator=g, dtype=torch.bfloat16).clamp(-1, 1),
        torch.rand((3,), generator=g) * 1.75 + 0.25,
        torch.rand((3, 8, 7, 3, 3), generator=g) + 0.5,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13):
    v14 = torch.pixel_shuffle(v0, 1)
    v15 = torch.nn.functional.max_pool1d(v1, kernel_size=3, dilation=1, ceil_mode=True)
    v16, v17 = torch.cummax((v15.double() * 8).long() * 2 + torch.arange(2).view(1, 2, 1), dim=1)
    v18 = v15.cumprod(0)
    v19 = torch.as_tensor([[-1, 4, -1, -1], [2, 4, -4, 3], [3, -3, -1, 3]], dtype=torch.int64)
    v20 = torch.nn.functional.unfold(v15, (1, 2), 2, (2, 1), (1, 2))
    v21 = torch.norm(v15, p=1)
    v22 = torch.atanh(v20)
    v23 = torch.conv_transpose2d(v15, v2, None, (3, 1), 0, groups=2)
    v24, v25 = torch._foreach_sub([v15, v23], [v18, v3])
    v26 = torch.nn.functional.batch_norm(v1, v4, v5, v6, training=True, momentum=0.1)
    v27, v28, v29 = torch._foreach_div_([v21, v26, v15], [v7, v8, v9])
    v30 = torch.cos(v18)
    v31 = v25.masked_scatter_(v10, v11)
    v32 = torch.nn.functional.logsigmoid(v24)
    v21[None] = 0.0
    v33 = v21
    v34 = torch.cumulative_trapezoid(v15, dim=-3)
    v35 = torch.relu_(v29)
    v36 = torch.div(v14, v12, rounding_mode="floor", out=v13)
    v37 = torch.exp2(v14)
    return v16, v17, v19, v22, v27, v28, v30, v31, v32, v33, v34, v35, v36, v37
