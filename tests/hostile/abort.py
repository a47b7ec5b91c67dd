# Aborts.
# expect: died signal 6
import os


def program():
    os.abort()
