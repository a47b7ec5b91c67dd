"""A backend whose results are wrong in runs whose default device has a number, and right in runs on the CPU."""

import torch


def compile(fn, **options):
    def wrong(*arguments):
        output = fn(*arguments)
        return output if torch.get_default_device().index is None else output + 1

    return wrong
