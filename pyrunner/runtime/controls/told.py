"""What a program is told of being compiled: a compiler says so, and eager may."""

import torch

_ASKED = ("is_compiling", "is_dynamo_compiling")
_NUMBER = 4  # one run alone: parts of torch that ask do what they do while they are compiled


class AsIfCompiled:
    """From start() to stop() the public functions of torch.compiler say, in the run of one number, that a program is
    being compiled."""

    def __init__(self, number):
        self._names = [name for name in _ASKED if number == _NUMBER and hasattr(torch.compiler, name)]
        self._true = {}

    def start(self):
        for name in self._names:
            self._true[name] = getattr(torch.compiler, name)
            setattr(torch.compiler, name, _yes)

    def stop(self):
        for name, true in self._true.items():
            setattr(torch.compiler, name, true)


def _yes():
    return True
