# generator 20
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6734)
    return (
        torch.randint(0, 10, (3, 8, 7, 3, 3), generator=g),
        torch.rand((8, 2, 3), generator=g, dtype=torch.bfloat16),
        torch.rand((8, 1, 3, 1), generator=g, dtype=torch.bfloat16) + 1.0,
        torch.randn((2, 2, 1), generator=g, dtype=torch.bfloat16).clamp(-1, 1),
        torch.rand((), generator=g, dtype=torch.bfloat16) + 0.5,
        torch.rand((2,), generator=g),
        (torch.rand((8, 3, 2), generator=g, dtype=torch.bfloat16) * 0.9375 + 0.0625).transpose(-2, -1),
        torch.rand((8, 2, 1), generator=g, dtype=torch.bfloat16) * 7.9375 + 0.0625,
        torch.randint(0, 2, (2, 1, 1), generator=g, dtype=torch.bool),
        torch.randn((6,), generator=g, dtype=torch.bfloat16).clamp(-1, 1),
        torch.rand((3,), generator=g) * 1.75 + 0.25,
        torch.rand((3, 8, 7, 3, 3), generator=g) + 0.5,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11):
    v12 = torch.pixel_shuffle(v0, 1)
    v13 = torch.nn.functional.max_pool1d(v1, kernel_size=3, dilation=1, ceil_mode=True)
    v14, v15 = torch.cummax((v13.double() * 8).long() * 2 + torch.arange(2).view(1, 2, 1), dim=1)
    v16 = v13.cumprod(0)
    v17 = torch.as_tensor([[-1, 4, -1, -1], [2, 4, -4, 3], [3, -3, -1, 3]], dtype=torch.int64)
    v18 = torch.nn.functional.unfold(v13, (1, 2), 2, (2, 1), (1, 2))
    v19 = torch.norm(v13, p=1)
    v20 = torch.atanh(v18)
    v21 = torch.conv_transpose2d(v13, v2, None, (3, 1), (2, 0), 0, 2)
    v22, v23, v24 = torch._foreach_sub([v21, v19, v16], [v3, v4, v13], alpha=2.0)
    v25 = torch.nn.functional.batch_norm(v1, running_mean=None, running_var=None, weight=v5, training=True, momentum=0.1)
    v26, v27, v28 = torch._foreach_div_([v19, v25, v13], [v4, v6, v7])
    v29 = v16.cos()
    v30 = v22.masked_scatter_(v8, v9)
    v31 = torch.nn.functional.logsigmoid(v23)
    v19[None] = 0.0
    v32 = v19
    v33 = torch.cumulative_trapezoid(v13, dim=-3)
    v34 = v28.relu_()
    v35 = torch.div(v12, v10, rounding_mode="floor", out=v11)
    v36 = v12.exp2()
    return (v14, v15, v17, v20, v24, v26, v27, v29, v30, v31, v32, v33, v34, v35, v36)
