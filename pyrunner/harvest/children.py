"""Work in forked children, one after the other: one that dies or takes too long is named, the next goes on behind it."""

import json
import os
import select
import signal
import time
import traceback

from . import signals


def _send(pipe, message):
    os.write(pipe, b"") if message is None else _write_all(pipe, json.dumps(message).encode() + b"\n")


def _write_all(pipe, data):
    while data:
        data = data[os.write(pipe, data) :]


def _serve(work, start, pipe):
    silence = os.open(os.devnull, os.O_RDWR)
    os.dup2(silence, 0)
    os.dup2(silence, 1)
    signals.as_child()
    try:
        _send(pipe, {"next": work(start, lambda message: _send(pipe, message))})
    except BaseException:
        traceback.print_exc()
        os._exit(70)
    os._exit(0)


def _lines(pipe, seconds):
    """The messages that come, each at most `seconds` after the one before; None at last when nothing came in time."""
    rest = b""
    deadline = time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            yield None
            return
        data = os.read(pipe, 1 << 16)
        if not data:
            return
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            deadline = time.monotonic() + seconds
            yield json.loads(line)


def messages(work, start, after, seconds):
    """What `work(start, send)` sends, run in a child. It gives the place from which another child goes on, or None at
    the end, and sends {"at": place} before each step. Where a child dies or a step takes longer than `seconds`, comes
    {"at": place, "died": why}, and the next child starts from `after(place)`."""
    place = start
    while place is not None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _serve(work, place, writing)
        os.close(writing)
        ended, at, late = False, place, False
        try:
            for message in _lines(reading, seconds):
                late = message is None
                if late:
                    break
                if "next" in message:
                    ended, place = True, message["next"]
                elif set(message) == {"at"}:
                    at = message["at"]
                else:
                    yield message
        finally:
            os.close(reading)
            if late or not ended:
                os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        if ended:
            continue
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 70:
            raise RuntimeError(f"harvesting failed at {at}: see above")
        why = f"takes longer than {seconds:g} s" if late else f"died of {_ending(status)}"
        yield {"at": at, "died": why}
        place = after(at)


def _ending(status):
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return signal.Signals(number).name if number in signal.valid_signals() else f"signal {number}"
    return f"exit {os.WEXITSTATUS(status)}"
