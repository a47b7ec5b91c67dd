# Reads from address 8.
# expect: died signal 11
import ctypes


def program():
    ctypes.string_at(8)
