# Takes away the recursion limit and recurses through C until the stack ends.
# expect: died signal 11
import sys


class Deep:
    def __repr__(self):
        return repr([self])


def program():
    sys.setrecursionlimit(2**31 - 1)
    repr(Deep())
