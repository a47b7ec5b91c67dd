# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(9029)
    return (
        torch.rand((1,), generator=g, dtype=torch.float64),
        torch.rand((1, 2, 7), generator=g, dtype=torch.float64) * 4 - 2.0,
        torch.randn((7,), generator=g, dtype=torch.float64).clamp(-8, 8),
        torch.rand((2, 7), generator=g, dtype=torch.float64) + 0.5,
        torch.rand((2, 2, 1), generator=g, dtype=torch.float64) + 1.0,
        torch.rand((2,), generator=g, dtype=torch.float64) * 16 - 8.0,
        torch.rand((1, 3, 7), generator=g, dtype=torch.float64) * 4 - 2.0,
        torch.rand((1, 4, 5), generator=g, dtype=torch.float64) + 1.0,
        torch.rand((2, 2, 16, 6, 1), generator=g, dtype=torch.float64) + 0.5,
        torch.rand((1, 4, 4), generator=g, dtype=torch.float64) * 4 - 2.0,
        torch.rand((7,), generator=g, dtype=torch.float64) * 0.25 - 0.5,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10):
    v11 = torch.searchsorted(torch.sort(v0)[0], v1, right=True, out_int32=True)
    v12 = torch.blackman_window(16, dtype=torch.float32)
    v13 = torch.nn.functional.rms_norm(v1, normalized_shape=(7,), weight=v2)
    v14, v15 = torch.ops.higher_order.scan(torch.functools.partial(lambda *a, combine_fn: combine_fn(*a), combine_fn=lambda s, a: (s * 0.5 + a, s * a)), (v3.clone(memory_format=torch.contiguous_format),), (v13.contiguous(),), ())
    v16 = v11.bool()
    v17 = torch.clip(v13, -0.5, 4.0)
    v18 = torch.conv_transpose1d(v14, v4, v5, stride=(2,), padding=(2,), output_padding=0, groups=1, dilation=3)
    v19 = torch.fft.irfft(v15, n=3, dim=-2, out=v6)
    v20 = torch.nn.functional.adaptive_max_pool1d(v15, (4,), return_indices=True)[0]
    v21 = v17.exp2()
    v22 = v1.div_(v3, rounding_mode="trunc")
    v23 = torch.addbmm(v0, v20, v7, alpha=-1.0)
    v24 = torch.min(v15, 2)[0]
    v25, v26 = torch.nn.functional.max_pool3d((v8.double() * 8).long() * 384 + torch.arange(384).view(2, 2, 16, 6, 1), kernel_size=(2, 3, 2), stride=(2, 3, 1), padding=(0, 0, 1), return_indices=True)
    v27 = torch.sin(v13, out=v22)
    v28 = torch.nn.functional.rms_norm(v21, (7,))
    v29 = torch.rsqrt_(v21)
    v30 = (v9 + 17 * torch.eye(4, dtype=torch.float64)).logdet()
    v31 = v2.div_(v10, rounding_mode="trunc")
    v32 = v25.acosh()
    return v12, v16, v18, v19, v23, v24, v26, v27, v28, v29, v30, v31, v32
