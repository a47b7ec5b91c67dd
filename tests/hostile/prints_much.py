# Prints some megabytes to every stream there is.
# expect: finished
import os
import sys


def program():
    for _ in range(4):
        print("x" * (1 << 20))
        sys.stderr.write("y" * (1 << 20))
        os.write(1, b"z" * (1 << 20))
        os.write(2, b"z" * (1 << 20))
    return 1
