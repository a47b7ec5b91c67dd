# Finds our socket and writes into it.
# expect: died protocol
import os
import stat


def program():
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                os.write(int(name), b"x" * 100)
        except OSError:
            pass
