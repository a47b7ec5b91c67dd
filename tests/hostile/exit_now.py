# Ends the process with a status.
# expect: died exit 3
import os


def program():
    os._exit(3)
