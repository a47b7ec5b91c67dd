"""Values of a program as text that is the same in every run."""

import re

_MOST_TEXT = 8192
_BROKEN = "internal compiler error"


def safe_text(value):
    try:
        text = str(value)
    except BaseException as error:  # the program's own __str__ may raise anything
        text = f"<{type(error).__name__} in __str__>"
    return _shortened(re.sub(r"0x[0-9a-fA-F]{6,}", "0x…", text))


def _shortened(text):
    """The errors of a C++ compiler come after pages of warnings, so the first errors are kept whatever else is cut."""
    if len(text) <= _MOST_TEXT:
        return text
    errors = "\n".join([line[:400] for line in text.splitlines() if " error: " in line or _BROKEN in line][:4])
    return text[: _MOST_TEXT - len(errors) - 1] + "\n" + errors if errors else text[:_MOST_TEXT]
