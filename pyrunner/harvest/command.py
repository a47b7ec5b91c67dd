"""Runs a command with `hook` on its PYTHONPATH, so that its calls of torch are recorded."""

import os
import pathlib
import shutil
import subprocess
import sys

from . import signals
from .manifest import BadUse

GRACE = 5  # seconds that a command has to end when the harvest is ended
_HOOK = pathlib.Path(__file__).resolve().parent / "hook"


def _end(process):
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def _status(words, **how):
    with signals.left_to_the_command(), subprocess.Popen(words, **how) as process:
        try:
            return process.wait()
        except SystemExit:  # a signal ends the harvest
            _end(process)
            raise


def recorded(command, folder, samples, quiet):
    """Runs the command; its exit status. What it calls is in the folder then, however it ended. Raises BadUse."""
    program = shutil.which(command[0])
    if program is None:
        raise BadUse(f"there is no command '{command[0]}'")
    paths = [str(_HOOK), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "JITPROBE_HARVEST": folder,
        "JITPROBE_HARVEST_SAMPLES": str(samples),
        "PYTHONPATH": os.pathsep.join(one for one in paths if one),
        "TORCHDYNAMO_DISABLE": "1",  # what is compiled runs as it is written
    }
    try:
        return _status([program, *command[1:]], env=environment, stdout=sys.stderr if quiet else None)
    except OSError as error:
        raise BadUse(f"the command '{command[0]}' can't be run: {error.strerror}") from None
