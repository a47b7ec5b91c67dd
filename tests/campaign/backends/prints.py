"""Planted fault: what is compiled prints a line. Every program shows it, and all of them are one finding."""


def compile(fn, **options):
    def compiled(*args, **kwargs):
        print("compiled")
        return fn(*args, **kwargs)

    return compiled
