# torchmetrics: correlations of nearly constant columns, with ranks.
import torch
from torchmetrics.functional import concordance_corrcoef, pearson_corrcoef, r2_score, spearman_corrcoef


def make_inputs():
    g = torch.Generator().manual_seed(1)
    x = torch.randn(20, generator=g)
    return (100 + 0.01 * x).requires_grad_(), 100 + 0.01 * (x + 0.3 * torch.randn(20, generator=g))


def program(x, y):
    return pearson_corrcoef(x, y), concordance_corrcoef(x, y), r2_score(x, y), spearman_corrcoef(x, y)
