# Leaves a recursion limit that is too low for anything.
# expect: finished
import sys


def program():
    sys.setrecursionlimit(40)
    return 7
