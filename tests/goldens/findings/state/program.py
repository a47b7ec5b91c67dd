import torch

counter = []


def program():
    counter.append(1)
