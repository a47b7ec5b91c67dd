# Leaves a daemon: forked twice, with a session of its own.
# expect: finished
import os
import time


def program():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()
    return 1
