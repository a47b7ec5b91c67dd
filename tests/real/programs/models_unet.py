# diffusers: a random two-dimensional U-Net at one step of noise.
import torch
from diffusers import UNet2DModel

torch.manual_seed(0)
model = UNet2DModel(sample_size=8, in_channels=2, out_channels=2, layers_per_block=1, block_out_channels=(8, 16),
                    down_block_types=("DownBlock2D", "AttnDownBlock2D"),
                    up_block_types=("AttnUpBlock2D", "UpBlock2D"), norm_num_groups=4, attention_head_dim=8)


def make_inputs():
    return torch.randn(1, 2, 8, 8, generator=torch.Generator().manual_seed(1)).requires_grad_(), torch.tensor([3])


def program(sample, step):
    return model(sample, step).sample
