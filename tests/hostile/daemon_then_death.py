# Leaves a daemon and dies.
# expect: died signal 11
import ctypes
import os
import time


def program():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()
    ctypes.string_at(8)
