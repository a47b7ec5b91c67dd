# torchmetrics: areas under curves, calibration error and a matrix of confusion.
import torch
from torchmetrics.functional.classification import (multiclass_auroc, multiclass_calibration_error,
                                                    multiclass_confusion_matrix, multiclass_f1_score)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(20, 3, generator=g).softmax(-1), torch.randint(0, 3, (20,), generator=g)


def program(scores, labels):
    return (multiclass_auroc(scores, labels, 3), multiclass_calibration_error(scores, labels, 3, n_bins=5),
            multiclass_confusion_matrix(scores, labels, 3), multiclass_f1_score(scores, labels, 3))
