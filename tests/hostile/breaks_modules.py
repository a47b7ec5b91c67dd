# Empties the table of modules and the search path: what the worker itself needs is gone, so nothing can be said.
# expect: broken
import sys


def program():
    sys.path.clear()
    sys.modules.clear()
    return 1
