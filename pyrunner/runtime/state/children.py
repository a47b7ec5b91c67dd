"""Descendant processes that a signal ended while the run went on: core/outcome.h, Finished::lost_children.

Python learns of the end of a child where the child is waited for: in `subprocess` and in the waiting functions of `os`,
which `multiprocessing` and `asyncio` call too. These functions are wrapped during a compiled run; children that nothing
waited for are examined at its end, without reaping them. Two kinds don't count: a process that was sent a signal from
this process was ended on purpose, and a process that the program itself waits for concerns only the program.
"""

import os
import signal
import subprocess

from ..compat import compiler, python

_WAITING = ("waitpid", "wait", "wait3", "wait4")
_SENDING = ("kill", "killpg")


class Watch:
    """A context that records the ends of children; `lost` lists those ended by a signal, in the order in which they
    were noticed."""

    def __init__(self, program_file):
        self.lost = []
        self._file = program_file
        self._noted = set()
        self._signalled = set()
        self._names = {}
        self._saved = []

    def __enter__(self):
        if not python.has("frame"):
            return self
        for name in _WAITING:
            self._replace(os, name, self._waiting(getattr(os, name)))
        for name in _SENDING:
            self._replace(os, name, self._sending(getattr(os, name)))
        if python.exit_status_hook is not None:
            hook = python.exit_status_hook
            self._replace(subprocess.Popen, hook, self._handling(getattr(subprocess.Popen, hook)))
        return self

    def __exit__(self, *ignored):
        for place, name, former, own in reversed(self._saved):
            if vars(place).get(name) is own:  # otherwise the program has replaced it
                setattr(place, name, former)
        if self._saved:
            self._look_at_zombies()

    def _replace(self, place, name, own):
        own = compiler.not_traced(own)  # a program that calls it calls a builtin otherwise
        self._saved.append((place, name, getattr(place, name), own))
        setattr(place, name, own)

    def _waiting(self, former):
        def waiting(*arguments, **keywords):
            answer = former(*arguments, **keywords)
            self._name(python.frame(1).f_locals.get("self"))
            self._note_end(answer[0], answer[1])
            return answer

        return waiting

    def _sending(self, former):
        def sending(*arguments):
            if len(arguments) == 2 and arguments[1]:
                self._signalled.add(arguments[0])
            return former(*arguments)

        return sending

    def _handling(self, former):
        def handling(process, status, *arguments, **keywords):
            self._name(process)
            self._note_end(process.pid, status)
            return former(process, status, *arguments, **keywords)

        return handling

    def _name(self, process):
        if isinstance(process, subprocess.Popen):
            words = process.args if isinstance(process.args, (list, tuple)) and process.args else [process.args]
            self._names[process.pid] = os.path.basename((os.fsdecode(words[0]).split() or ["a process"])[0])

    def _note_end(self, process, status):
        if not process or process in self._noted or not os.WIFSIGNALED(status):
            return
        self._noted.add(process)
        if process not in self._signalled and not self._asked_by_program():
            name = self._names.get(process, "a process")
            self.lost.append(f"{name}: signal {os.WTERMSIG(status)}")

    def _asked_by_program(self):
        """Whether the frame closest to this wait, apart from Python's own library, is the program's."""
        frame = python.frame(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if file == self._file:
                return True
            if "site-packages" in file:
                return False
            frame = frame.f_back
        return False

    def _look_at_zombies(self):
        seen = set()
        while True:
            try:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if found is None or found.si_pid in seen:
                return
            seen.add(found.si_pid)
            killed = found.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
            if killed and found.si_pid not in self._noted | self._signalled:
                self.lost.append(f"{_name_of(found.si_pid)}: signal {int(signal.Signals(found.si_status))}")
            os.waitid(os.P_PID, found.si_pid, os.WEXITED | os.WNOHANG)


def _name_of(process):
    try:
        with open(f"/proc/{process}/comm") as name:
            return name.read().strip()
    except OSError:
        return "a process"
