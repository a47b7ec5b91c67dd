"""Planted fault: element [1, 2] of a result with two dimensions is 1 too large."""


def compile(fn, **options):
    def compiled(*args):
        result = fn(*args)
        if result.dim() == 2:
            result = result.clone()
            result[1, 2] += 1
        return result

    return compiled
