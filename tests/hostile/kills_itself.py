# Kills its own process.
# expect: died signal 9
import os
import signal


def program():
    os.kill(os.getpid(), signal.SIGKILL)
