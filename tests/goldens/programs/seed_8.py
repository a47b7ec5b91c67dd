# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6696)
    return (
        torch.randn((2, 3, 1, 6, 16), generator=g).clamp(-2, 2),
        torch.rand((2, 3, 1, 4, 1), generator=g) * 1.875 - 0.9375,
        torch.rand((3, 2, 1), generator=g, dtype=torch.float16) * 1.9375 + 0.0625,
        torch.randint(-24, 24, (2,), generator=g),
        torch.rand((2,), generator=g) * 2 - 1.0,
        torch.rand((2, 16, 9, 4), generator=g) + 0.5,
        torch.randint(-9, 10, (2,), generator=g),
        torch.randint(0, 10, (16, 3), generator=g),
        torch.randint(-3, 4, (8, 16, 2), generator=g),
        torch.randint(0, 10, (8, 2, 3), generator=g),
        torch.randint(0, 3, (13, 3), generator=g),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10):
    v11 = torch.nn.functional.adaptive_max_pool3d(v0, (None, 4, 1))
    v12 = torch.triu(v11, -3)
    v13 = v12.gt_(v11)
    v14 = v1.asin_()
    v15 = v14.fmin(v13)
    v16 = torch.nn.functional.lp_pool2d(v2, norm_type=3, kernel_size=(2, 1), stride=(3, 2), ceil_mode=True)
    v17 = torch.take(v15, v3, out=v4)
    v18 = torch.roll(v16, 6)
    v19 = torch.nn.functional.mish(v18)
    v20 = torch.neg_(v15)
    v21, v22 = v5.unbind(0)
    v23, v24, v25 = torch._foreach_exp_([v20, v17, v14])
    v26 = v3.eq_(v6)
    v27 = v26.bincount(minlength=3)
    v28 = v7.addbmm_(v8, v9)
    v29 = torch.nn.functional.hardshrink(v22)
    v30 = v28.sgn()
    v31 = v30.gather(1, v10)
    v32 = v19.baddbmm_(v16, v18)
    v33 = torch.nn.functional.adaptive_max_pool3d(v5, (1, 4, 4))
    return v21, v23, v24, v25, v27, v29, v31, v32, v33
