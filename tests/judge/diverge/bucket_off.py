# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: bucketize between edges
# why: All values lie in the middle of their buckets.
import torch


def make_inputs():
    return (torch.tensor([0.5, 2.5, 1.5]), torch.arange(4.0))


def program(x, edges):
    return torch.bucketize(x, edges)


COMPILE_OPTIONS = {"operator": "bucketize", "fault": "plus_one"}
