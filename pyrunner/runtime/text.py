"""Texts of a program's values that are the same in every run."""

import re

_MOST_TEXT = 8192
_BROKEN = "internal compiler error"


def safe_text(value):
    try:
        text = str(value)
    except BaseException as error:  # a program's own __str__
        text = f"<{type(error).__name__} in __str__>"
    return _shortened(re.sub(r"0x[0-9a-fA-F]{6,}", "0x…", text))


def _shortened(text):
    """What a C++ compiler calls an error stands behind pages of warnings: the first ones are kept whatever is cut."""
    if len(text) <= _MOST_TEXT:
        return text
    errors = "\n".join([line[:400] for line in text.splitlines() if " error: " in line or _BROKEN in line][:4])
    return text[: _MOST_TEXT - len(errors) - 1] + "\n" + errors if errors else text[:_MOST_TEXT]
