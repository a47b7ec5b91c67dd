# Ends the process as if all were well.
# expect: died exit 0
import os


def program():
    os._exit(0)
