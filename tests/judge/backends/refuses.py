"""A compiler that declares what it can't do."""

EXPECTED_REFUSALS = (("Refusal", "complex tensors are not supported"), ("", "is out of scope for this compiler"))


class Refusal(Exception):
    """Said of a program that the compiler doesn't take."""


def compile(fn, text="complex tensors are not supported", kind="Refusal", after="", **options):
    calls = []

    def compiled(*arguments):
        calls.append(1)
        if after == "wrong" and len(calls) > 1:
            return fn(*arguments) + 1
        raise (Refusal if kind == "Refusal" else RuntimeError)(text)

    return compiled
