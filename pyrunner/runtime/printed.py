"""What a program prints."""

import io

_MOST = 1 << 20


class Printed(io.BufferedIOBase):
    """The bytes behind a program's `sys.stdout`: the first _MOST of each call. Where the program closes its standard output,
    or puts another one in its place, what it printed before can be taken all the same."""

    def __init__(self):
        self._kept = bytearray()

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self._kept += data[:_MOST - len(self._kept)]
        return len(data)

    def close(self):
        pass

    def take(self):
        text = self._kept.decode("utf-8", "replace")
        self._kept = bytearray()
        return text
