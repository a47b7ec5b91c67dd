# Prints some megabytes to every stream there is, and waits until those that are files have been cut.
# expect: finished
import os
import sys
import time


def program():
    for _ in range(12):
        print("x" * (1 << 20))
        sys.stderr.write("y" * (1 << 20))
        os.write(1, b"z" * (1 << 20))
        os.write(2, b"z" * (1 << 20))
    end = time.monotonic() + 20
    while max(os.fstat(1).st_size, os.fstat(2).st_size) > 8 << 20:
        assert time.monotonic() < end
        time.sleep(0.05)
    return 1
