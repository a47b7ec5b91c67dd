# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(9029)
    return (
        torch.rand((16, 3, 1), generator=g, dtype=torch.float64),
        torch.rand((16, 3, 8), generator=g, dtype=torch.float64) * 2 - 1.0,
        torch.rand((3, 1), generator=g, dtype=torch.float64),
        torch.randn((3, 2, 1), generator=g, dtype=torch.float64).clamp(-8, 8),
        torch.rand((17,), generator=g, dtype=torch.float64) * 1.9375 + 0.0625,
        torch.rand((16, 1, 1), generator=g, dtype=torch.float64) + 1.0,
        torch.rand((3, 17, 1, 8, 2), generator=g, dtype=torch.float64) * 2 - 1.0,
        torch.rand((1, 1), generator=g) + 1.0,
        torch.rand((3, 17, 1, 5, 2), generator=g, dtype=torch.bfloat16) * 2 + 1.0625,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9 = torch.searchsorted(v0, v1, out_int32=True, right=True, sorter=torch.argsort(v0))
    v10 = torch.blackman_window(17, False, dtype=torch.float64)
    v11 = torch.nn.functional.rms_norm(v0, normalized_shape=(3, 1))
    v12, v13 = torch.ops.higher_order.scan(torch.functools.partial(lambda *a, combine_fn: combine_fn(*a), combine_fn=lambda s, a: (torch.maximum(s, a), s * a)), (v2.clone(memory_format=torch.contiguous_format),), (v11.contiguous(),), ())
    v14 = v9.bool()
    v15 = v12.clip(-1.0, 1.5)
    v16 = torch.nn.functional.conv_transpose1d(v12, v3, bias=None, stride=(2,), groups=1)
    v17 = torch.fft.irfft(v15, n=1, dim=0, norm="backward")
    v18 = torch.nn.functional.adaptive_max_pool1d(v13, output_size=(5,))
    v19 = torch.exp2(v11)
    v20 = v10.div_(v4)
    v21 = v17.addbmm(v11, v5)
    v22 = torch.min(v16, dim=-1).values
    v23, v24 = torch.nn.functional.max_pool3d((v6.double() * 8).trunc() * 816 + torch.arange(816).view(3, 17, 1, 8, 2), kernel_size=(2, 2, 2), stride=(2, 2, 2), padding=1, dilation=(1, 1, 1), ceil_mode=False, return_indices=True)
    v25 = torch.sin(v22)
    v26 = torch.nn.functional.rms_norm(v19, normalized_shape=(3, 1), weight=None)
    v27 = v19.rsqrt_()
    v28 = torch.logdet(v7 + 5 * torch.eye(1, dtype=torch.float32))
    v29 = v23.div_(v7)
    v30 = v8.acosh()
    return v14, v18, v20, v21, v24, v25, v26, v27, v28, v29, v30
