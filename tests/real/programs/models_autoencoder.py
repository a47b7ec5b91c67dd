# diffusers: the encoder and decoder of a random autoencoder, without sampling.
import torch
from diffusers import AutoencoderKL

torch.manual_seed(0)
model = AutoencoderKL(block_out_channels=(8, 8), in_channels=1, out_channels=1, latent_channels=2, norm_num_groups=4,
                      down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2)


def make_inputs():
    return (torch.randn(1, 1, 8, 8, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(image):
    latent = model.encode(image).latent_dist
    return model.decode(latent.mode()).sample, latent.kl()
