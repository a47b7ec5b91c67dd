"""A compiler that declares what it can't do."""

EXPECTED_REFUSALS = (("Refusal", "complex tensors are not supported"), ("", "is out of scope for this compiler"))


class Refusal(Exception):
    """Said of a program that the compiler doesn't take."""


def compile(fn, text="complex tensors are not supported", kind="Refusal", **options):
    def compiled(*arguments):
        raise (Refusal if kind == "Refusal" else RuntimeError)(text)

    return compiled
