# transformers: a random BERT of two layers, embeddings given.
import torch
from transformers import BertConfig, BertModel

torch.manual_seed(0)
model = BertModel(BertConfig(vocab_size=40, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                             intermediate_size=48, max_position_embeddings=16, hidden_dropout_prob=0.0,
                             attention_probs_dropout_prob=0.0, _attn_implementation="eager"))


def make_inputs():
    return (torch.randn(2, 7, 32, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(embeddings):
    answer = model(inputs_embeds=embeddings)
    return answer.last_hidden_state, answer.pooler_output
