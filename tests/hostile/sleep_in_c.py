# Sleeps in C without letting go of the interpreter: no Python code can run in it.
# expect: timed_out program
import ctypes


def program():
    ctypes.PyDLL(None).usleep(60_000_000)
