"""A run that is made to see what compiling the program does. Its results are not recorded, and no judgement uses it."""

from . import execute
from .compilers.report import Report

_MOST_SAID = 1000


class _Explained(execute.Run):
    def __init__(self, program, file, request):
        super().__init__(program, file, {**request, "record": False})
        self.report = Report(self.filename)

    def _call(self, number, function, arguments):
        self.report.call(lambda: super(_Explained, self)._call(number, function, arguments))


def run(program, file, request):
    """The report (docs/formats.md, "What compiling did"). A run that ends early gives what was seen until then, and a
    sentence."""
    attempt = _Explained(program, file, request)
    with attempt.report:
        ending = attempt.outcome()
    return attempt.report.result(_error(ending))


def _error(ending):
    if ending["kind"] == "raised":
        return ending["reason"]
    for number, call in enumerate(ending["observation"]["calls"]):
        for what, key in (("call", "exception"), ("backward of call", "backward_exception")):
            if key in call:
                said = call[key]["message"].strip().partition("\n\n")[0]  # hints follow
                return f"{what} {number + 1} raised {call[key]['type']}: {' '.join(said.split())[:_MOST_SAID]}"
    return ""
