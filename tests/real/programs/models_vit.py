# transformers: a random vision transformer.
import torch
from transformers import ViTConfig, ViTModel

torch.manual_seed(0)
model = ViTModel(ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
                           image_size=16, patch_size=4, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0))


def make_inputs():
    return (torch.randn(1, 3, 16, 16, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(image):
    return model(pixel_values=image).last_hidden_state
