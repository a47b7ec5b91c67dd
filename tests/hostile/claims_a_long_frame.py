# Finds our socket and begins a frame there that is said to have four gigabytes.
# expect: died protocol
import os
import stat


def program():
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                os.write(int(name), b"JPF2" + (1 << 32).to_bytes(8, "little") + bytes(8) + b"x" * 100)
        except OSError:
            pass
