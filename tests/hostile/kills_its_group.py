# Kills its process group.
# expect: died signal 15
import os
import signal


def program():
    os.killpg(0, signal.SIGTERM)
