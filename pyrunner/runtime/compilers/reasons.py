"""What a failed guard means, in a sentence: torch's text says which check failed, not what was different."""

import re

# The texts are those of torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py.
_KINDS = (
    (r"tensor '(.+?)' size mismatch at index (\d+)\. expected (\S+), actual (\S+)",
     "The size of {} changed in dimension {}: it was {} and is {}."),
    (r"tensor '(.+?)' stride mismatch at index (\d+)\. expected (\S+), actual (\S+)",
     "The layout of {} changed: the stride of dimension {} was {} and is {}."),
    (r"tensor '(.+?)' rank mismatch\. expected (\S+), actual (\S+)",
     "The number of dimensions of {} changed: it was {} and is {}."),
    (r"tensor '(.+?)' dtype mismatch\. expected (\S+), actual (\S+)", "The dtype of {} changed: it was {} and is {}."),
    (r"tensor '(.+?)' requires_grad mismatch\. expected requires_grad=0", "{} requires gradients now, and did not before."),
    (r"tensor '(.+?)' requires_grad mismatch\. expected requires_grad=1", "{} required gradients before, and does not now."),
    (r"tensor '(.+?)' device index mismatch", "{} is on another device."),
    (r"tensor '(.+?)' dispatch key set mismatch", "{} is another kind of tensor: its device, layout or mode changed."),
    (r"expected type of '(.+?)' to be a tensor", "{} is of another type."),
    (r"___check_type_id\((.+?), \d+\)", "{} is of another type."),
    (r"___check_obj_id\((.+?), \d+\)", "{} is another object."),
    (r"^(\S+) is (?:not )?\S+$", "{} is another object."),
    (r"^len\((\S+)\) == (\d+)$", "The length of {} changed: it was {}."),
    (r"^(-?\d+) <= (\S+\.size\(\)\[\d+\]) <= (-?\d+)$", "A size left its range: {1} was between {0} and {2}."),
    (r"^(-?\d+) <= (\S+\.size\(\)\[\d+\])$", "A size left its range: {1} was at least {0}."),
    (r"^(\S+\.size\(\)\[\d+\]) == (\d+)$", "A size changed: {} was {}."),
    (r"^([A-Za-z_][\w.\[\]'\"]*) == (.+)$", "The value of {} changed: it was {}."),
    (r"grad_mode", "Whether gradients are recorded changed."),
)
_COMPILED = re.compile(r"^\d+/\d+(?:_\d+)?: ")  # which graph's guard it was


def sentence(reason):
    """What was different in the call that a graph was not made for; "" if this text is of no kind that is known here."""
    told = _COMPILED.sub("", " ".join(reason.split()))
    told = told.split(" # ")[0].strip()
    for pattern, says in _KINDS:
        if found := re.search(pattern, told):
            return says.format(*found.groups())
    return ""


def sentences(reasons):
    """The different sentences of several reasons, in order."""
    return " ".join(dict.fromkeys(filter(None, map(sentence, reasons))))
