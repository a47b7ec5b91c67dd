# pytorch-metric-learning: losses over pairs and triplets that a miner chooses.
import torch
from pytorch_metric_learning import losses, miners

torch.manual_seed(0)
miner = miners.TripletMarginMiner(margin=0.2, type_of_triplets="semihard")
triplet = losses.TripletMarginLoss(margin=0.2)
others = [losses.MultiSimilarityLoss(), losses.CircleLoss(), losses.SupConLoss()]


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(9, 5, generator=g).requires_grad_(), torch.arange(9) % 3


def program(embeddings, labels):
    chosen = miner(embeddings, labels)
    return [triplet(embeddings, labels, chosen)] + [loss(embeddings, labels) for loss in others]
